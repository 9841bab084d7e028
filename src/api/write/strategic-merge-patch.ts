/**
 * Kubernetes' strategic merge patch, for the kinds that Kubernetes defines itself: kubectl knows
 * their types and sends no other patch. Objects are merged and null removes, as in a merge patch;
 * finalizers are a set, and directives (`$patch`, `$retainKeys`, …) say what a merge cannot say.
 */
import { isJsonObject, type JsonObject } from "../http/json-value.ts";

/** Lists whose entries are added to those that are there; every other list is replaced. */
const SETS: ReadonlySet<string> = new Set(["/metadata/finalizers"]);
const DELETE_FROM = "$deleteFromPrimitiveList/";

export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = mergeObject(document, patch, "");
  return isJsonObject(merged) ? merged : {};
}

/** Undefined where the patch deletes it. */
function mergeObject(held: unknown, patch: JsonObject, path: string): JsonObject | undefined {
  const directive = patch["$patch"];
  if (directive === "delete") return undefined;
  const before = isJsonObject(held) && directive !== "replace" ? held : {};
  const merged: Record<string, unknown> = { ...retained(before, patch["$retainKeys"]) };
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(DELETE_FROM)) remove(merged, name.slice(DELETE_FROM.length), value);
  }
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith("$")) continue;
    const next = mergeValue(merged[name], value, `${path}/${name}`);
    if (next === undefined || next === null) delete merged[name];
    else merged[name] = next;
  }
  return merged;
}

function mergeValue(held: unknown, value: unknown, path: string): unknown {
  if (isJsonObject(value)) return mergeObject(held, value, path);
  if (!Array.isArray(value) || !Array.isArray(held) || !SETS.has(path)) return value;
  return [...new Set<unknown>([...(held as unknown[]), ...(value as unknown[])])];
}

function retained(before: JsonObject, keys: unknown): JsonObject {
  if (!Array.isArray(keys)) return before;
  return Object.fromEntries(Object.entries(before).filter(([name]) => keys.includes(name)));
}

function remove(merged: Record<string, unknown>, name: string, values: unknown): void {
  const held = merged[name];
  if (!Array.isArray(held) || !Array.isArray(values)) return;
  merged[name] = held.filter((each) => !values.includes(each));
}
