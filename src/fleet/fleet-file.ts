/** A fleet as a file: one line that says what it is, then one line of JSON for each object. */
import { parseKey } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { UserError } from "../shell/errors.ts";
import { readInput } from "../shell/read-input.ts";
import type { Fleet } from "./fleet.ts";

const FORMAT = 1;
const FIRST_KEY = "berthFleet";

export function fleetText({ source, objects }: Fleet): string {
  const head = JSON.stringify({ [FIRST_KEY]: FORMAT, source, objects: objects.length });
  return [head, ...objects.map((object) => JSON.stringify(object)), ""].join("\n");
}

export function readFleet(file: string): Fleet {
  const text = readInput(file);
  const [first = "", ...lines] = text.split("\n");
  const head = parsed(first, file, 1) as Readonly<Record<string, unknown>>;
  if (head?.[FIRST_KEY] !== FORMAT) {
    const why =
      head?.[FIRST_KEY] === undefined
        ? "It is no fleet file. Make one with: berth import kubernetes DUMP --out fleet.jsonl"
        : `It is a fleet of format ${JSON.stringify(head[FIRST_KEY])}; this version reads format ${FORMAT}.`;
    throw new UserError("invalid-file", why, { file, line: 1 });
  }
  const objects = lines
    .filter((line) => line !== "")
    .map((line, at) => objectOf(line, file, at + 2));
  if (objects.length !== head["objects"]) {
    const why = `It holds ${objects.length} objects of ${String(head["objects"])}: its end is missing.`;
    throw new UserError("invalid-file", why, { file, line: lines.length + 1 });
  }
  return { source: String(head["source"]), objects };
}

function objectOf(line: string, file: string, at: number): AnyObject {
  const object = parsed(line, file, at) as Partial<AnyObject> | null;
  if (object?.kind === undefined || object.key === undefined || object.meta === undefined) {
    throw new UserError("invalid-file", "An object has no kind, key or metadata.", {
      file,
      line: at,
    });
  }
  if (parseKey(object.key).kind !== object.kind) {
    throw new UserError("invalid-file", "The key of an object names another kind.", {
      file,
      line: at,
    });
  }
  // JSON leaves out what is undefined; an index takes it for missing alike.
  return object as AnyObject;
}

function parsed(line: string, file: string, at: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("invalid-file", `It is not JSON: ${reason}.`, { file, line: at });
  }
}
