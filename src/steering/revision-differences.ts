/**
 * In what two policy revisions differ, field by field. Pure: `berth policy diff` and the dashboard
 * say the same words.
 */
type Spec = Readonly<Record<string, unknown>>;

export interface Difference {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

const NONE = "(none)";

export function revisionDifferences(before: Spec, after: Spec): readonly Difference[] {
  const [one, other] = [ruleFields(before), ruleFields(after)];
  const names = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return names
    .filter((name) => one.get(name) !== other.get(name))
    .map((field) => ({ field, from: one.get(field) ?? NONE, to: other.get(field) ?? NONE }));
}

/** Every leaf of the spec by its path. Lists are compared as a whole: their order has a meaning. */
export function ruleFields(spec: Spec): ReadonlyMap<string, string> {
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

/** e.g. "default-1 and default-2 differ:" */
export const differenceHead = (one: string, other: string, count: number): string =>
  `${one} and ${other} ${count === 0 ? "say the same" : "differ:"}`;
