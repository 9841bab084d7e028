/** Copies and compares JSON within a budget: what a patch asks for many times costs as often. */
import { isJsonObject } from "./json-value.ts";
import type { WorkBudget } from "./work-budget.ts";

/** What a value costs besides its text: about what it takes in memory. */
const VALUE_BYTES = 32;

/** `levels`: how deep the value may nest; a deeper one throws what `tooDeep` makes. */
export function copyValue(
  value: unknown,
  budget: WorkBudget,
  limit: { readonly levels: number; readonly tooDeep: () => Error },
): unknown {
  const copy = (each: unknown, levels: number): unknown => {
    budget.spend(costOf(each));
    if (typeof each !== "object" || each === null) return each;
    if (levels === 0) throw limit.tooDeep();
    if (Array.isArray(each)) return each.map((inner) => copy(inner, levels - 1));
    const made: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(each)) {
      budget.spend(name.length);
      made[name] = copy(inner, levels - 1);
    }
    return made;
  };
  return copy(value, limit.levels);
}

/** Deep equality, whatever order the fields were written in. */
export function isSameWithin(a: unknown, b: unknown, budget: WorkBudget): boolean {
  budget.spend(costOf(b));
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, at) => isSameWithin(each, b[at], budget));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const names = Object.keys(a);
  budget.spend(VALUE_BYTES * names.length);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    budget.spend(name.length);
    return Object.hasOwn(b, name) && isSameWithin(a[name], b[name], budget);
  });
}

const costOf = (value: unknown): number =>
  VALUE_BYTES + (typeof value === "string" ? value.length : 0);
