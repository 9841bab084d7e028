/** A fleet as a file: one line that says what it is, then one line of JSON for each object. */
import { parseKey } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import { UserError } from "../shell/errors.ts";
import { readInput } from "../shell/read-input.ts";
import type { Fleet, PlaneFleet } from "./fleet.ts";

const FORMAT = 1;
const FIRST_KEY = "berthFleet";

export const fleetText = (fleet: Fleet): string => [...fleetLines(fleet)].join("");

/** Line by line, each when its turn has come. */
export function* fleetLines(fleet: Fleet | PlaneFleet): Generator<string, undefined> {
  const { source, objects } = fleet;
  const at = "revision" in fleet ? { revision: fleet.revision, atMs: fleet.atMs } : {};
  yield `${JSON.stringify({ [FIRST_KEY]: FORMAT, source, ...at, objects: objects.length })}\n`;
  for (const object of objects) yield `${JSON.stringify(object)}\n`;
}

export function readFleet(file: string): Fleet {
  const { source, objects } = parseFleet(readInput(file), file);
  return { source, objects };
}

/** `file` is what people are told when it is wrong. */
export function parseFleet(text: string, file: string): Fleet & Partial<PlaneFleet> {
  const [first = "", ...lines] = text.split("\n");
  const head = headOf(first);
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
  const { revision, atMs } = head;
  const at = typeof revision === "number" && typeof atMs === "number" ? { revision, atMs } : {};
  return { source: String(head["source"]), objects, ...at };
}

/** A file of another kind need not begin with JSON. */
function headOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(line) as Readonly<Record<string, unknown>> | null) ?? undefined;
  } catch {
    return undefined;
  }
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
