/**
 * The most that a tenant may hold in a region, as far as the global plane knows: what the region
 * stated with the version it acts on, or any version lent since, of each amount the largest. The
 * region may have taken over any of them by now.
 */
import { AMOUNT_NAMES, type Amounts, NOTHING } from "../amounts.ts";
import type { Grant } from "../objects.ts";

export function exposureOf({ spec, status }: Grant): Amounts {
  if (spec.side === "accepted") return NOTHING;
  const { held = NOTHING, pending = [] } = status;
  return pending.reduce((most, { amounts }) => largerOf(most, amounts), held);
}

/** Of each amount the larger. */
export const largerOf = (a: Amounts, b: Amounts): Amounts => eachOf(a, b, Math.max);
/** Of each amount the smaller. */
export const smallerOf = (a: Amounts, b: Amounts): Amounts => eachOf(a, b, Math.min);

/** What `a` has beyond `b`, and never less than nothing. */
export const beyond = (a: Amounts, b: Amounts): Amounts =>
  eachOf(a, b, (one, other) => Math.max(0, one - other));

function eachOf(a: Amounts, b: Amounts, of: (a: number, b: number) => number): Amounts {
  const made: { -readonly [Name in keyof Amounts]: number } = { ...NOTHING };
  for (const name of AMOUNT_NAMES) made[name] = of(a[name], b[name]);
  return made;
}
