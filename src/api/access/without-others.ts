/**
 * An answer about a caller's own objects, without the names of others' work in it. A key is
 * replaced by its kind, so that a reader can still count: "Replica of another tenant", three times,
 * is an answer also to a caller who may not know whose they are.
 */
import type { Sight } from "./sight.ts";

type Shown = Pick<Sight, "seesAll" | "text">;

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
