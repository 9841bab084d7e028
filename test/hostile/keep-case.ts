/** Writes what was found beside the other cases, where every later run of the gate sends it again. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { casesFolder } from "./kept-cases.ts";
import type { Found } from "./fuzz.ts";

/** Returns the file. Undefined: no requests of its own showed it, so that there is nothing to send again. */
export function keepCase({ kind, case: one }: Found, folder = casesFolder): string | undefined {
  if (one.requests.length === 0) return undefined;
  mkdirSync(folder, { recursive: true });
  const name = `found-${kind}-${one.name.replaceAll(/[^A-Za-z0-9-]/g, "-")}`;
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ ...one, name }, undefined, 2)}\n`);
  return file;
}
