/** JSON as it comes from outside, and the few questions that are asked of it everywhere. */
import { preview } from "../schema/preview.ts";

export type JsonObject = { readonly [name: string]: unknown };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The field, if the value is an object that has it as its own. */
export function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Whether any field is called `__proto__`. Assigned to a plain object it would replace that
 * object's prototype, so such bodies are turned away before anything is merged.
 */
export function hasForbiddenName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasForbiddenName);
  if (!isJsonObject(value)) return false;
  return (
    Object.hasOwn(value, "__proto__") || Object.values(value).some((each) => hasForbiddenName(each))
  );
}

/**
 * Fields set to null mean "not set" to Kubernetes clients; Go's empty creationTimestamp is one of
 * them.
 */
export function withoutNulls(value: unknown): unknown {
  return hasNull(value) ? strippedOfNulls(value) : value;
}

/** Hardly any object has one, and then there is nothing to copy. */
function hasNull(value: unknown): boolean {
  if (typeof value !== "object") return false;
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  for (const name in value) if (hasNull((value as JsonObject)[name])) return true;
  return false;
}

function strippedOfNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strippedOfNulls);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, strippedOfNulls(each)]),
  );
}

/** Does not use the stack, so that it can be asked of anything. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  let layer: readonly unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true;
    layer = layer.flatMap((each) =>
      typeof each === "object" && each !== null ? (Object.values(each) as unknown[]) : [],
    );
  }
  return false;
}

/** For messages: text as it is, anything else as JSON, and not too much of it. */
export const shownValue = (value: unknown): string =>
  (typeof value === "string" ? value : value === undefined ? "" : preview(value, 99)).slice(0, 100);
