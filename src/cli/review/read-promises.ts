/** Reads promises from files. */
import { promisedToOthers } from "../../core/commit/validate/promised-to-others.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import { promiseOf, type StatedPromise } from "../../review/promise.ts";
import { readObjects } from "./read-objects.ts";

export async function readPromises(paths: readonly string[]): Promise<readonly StatedPromise[]> {
  const seen = new Set<ObjectKey>();
  const read = await readObjects(paths, ["Commitment"], ({ object: { key, meta, spec }, top }) => {
    if (seen.has(key)) {
      top.place("metadata.name").fail(`${meta.namespace}/${meta.name} is there twice.`);
    }
    seen.add(key);
    const other = promisedToOthers(key, spec);
    if (other === undefined) return;
    const field = other.field.slice(other.field.indexOf(" ") + 1);
    top.place(field).fail(`found tenant ${other.actual}, expected ${other.expected}.`);
  });
  return read.map(({ object }) => promiseOf(object));
}
