/** `berth policy diff`: in what two revisions differ, a line for each field. */
import type { ShownObject } from "../client/api-object.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { readRevision } from "./shown-policy.ts";

export async function diffRevisions(
  [one, other]: readonly [string, string],
  options: ServerOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const before = fieldsOf(await readRevision(client, one));
  const after = fieldsOf(await readRevision(client, other));
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const lines = names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `  ${name}: ${before.get(name) ?? "(none)"} -> ${after.get(name) ?? "(none)"}`);
  const head = lines.length === 0 ? "say the same" : "differ:";
  terminal.out(`${[`${one} and ${other} ${head}`, ...lines].join("\n")}\n`);
}

/** Every leaf of the spec by its path. Lists are compared as a whole: their order has a meaning. */
function fieldsOf({ spec = {} }: ShownObject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      found.set(path, JSON.stringify(value));
      return;
    }
    for (const [name, each] of Object.entries(value)) {
      walk(each, path === "" ? name : `${path}.${name}`);
    }
  };
  walk(spec, "");
  return found;
}
