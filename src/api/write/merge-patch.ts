/** JSON merge patch, RFC 7386: objects are merged, null removes, everything else replaces. */
import { isJsonObject } from "../http/json-value.ts";

export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = isJsonObject(document) ? { ...document } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = applyMergePatch(merged[name], value);
  }
  return merged;
}
