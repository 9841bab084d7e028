/**
 * An answer about a caller's own objects, without the names of others' work in it. A key is
 * replaced by its kind, so that a reader can still count: "Replica of another tenant", three times,
 * is an answer also to a caller who may not know whose they are.
 */
import type { Kind } from "../model/ids.ts";

/** What decides it: `Sight` of the API, and that of a simulated reader. */
export interface Shown {
  seesAll(kind: Kind): boolean;
  /** The sentence, without names that are hidden from the reader. */
  text(text: string): string;
}

export function withoutOthers<T>(answer: T, sight: Shown): T {
  if (sight.seesAll("Workload") && sight.seesAll("Replica")) return answer;
  return cleaned(answer, sight) as T;
}

function cleaned(value: unknown, sight: Shown): unknown {
  if (typeof value === "string") return sight.text(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, sight));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [sight.text(name), cleaned(field, sight)]),
  );
}
