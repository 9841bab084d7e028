/**
 * How much of a tenant's quota each region is to have: what it charges, then what waits there, then
 * an equal share of what is left, so that rights are there before they are needed. Amounts for
 * waiting replicas are given in whole replicas: rights that are split so that nothing fits in any
 * region are of no use to any.
 */
import { AMOUNT_NAMES, type Amounts, minus, NOTHING, plus } from "../../model/amounts.ts";
import { beyond, smallerOf } from "../../model/regional/exposure.ts";
import type { GrantDemand } from "../../model/regional/grant.ts";

export interface RegionShare {
  readonly region: string;
  readonly demand: GrantDemand;
  /** The most that the tenant's quota allows there; undefined: no bound of its own. */
  readonly most: Amounts | undefined;
}

/** By region. `pool` is all that these regions may have together. */
export function apportionRights(
  pool: Amounts,
  shares: readonly RegionShare[],
): ReadonlyMap<string, Amounts> {
  const rights = new Map<string, Amounts>();
  const sorted = shares.toSorted((a, b) => (a.region < b.region ? -1 : 1));
  let rest = pool;
  const give = ({ region }: RegionShare, amounts: Amounts): void => {
    rights.set(region, plus(rights.get(region) ?? NOTHING, amounts));
    rest = minus(rest, amounts);
  };
  for (const each of sorted) give(each, scaled(bounded(each, each.demand.charged), sorted, pool));
  // First each its part of what is left, then what others have left of theirs, and in the end for
  // those that are small enough for what is left of it all.
  for (const [parts, size] of [
    [sorted.length, "largest"],
    [1, "largest"],
    [1, "smallest"],
  ] as const) {
    const part = parted(positive(rest), parts);
    for (const each of sorted)
      give(each, forWaiting(each, { rights, size, amounts: smallerOf(part, positive(rest)) }));
  }
  // The least of each amount may belong to different replicas: all that is left may still fit one.
  for (const each of sorted) give(each, smallerOf(stillWanted(each, rights), positive(rest)));
  const spare = parted(positive(rest), sorted.length);
  for (const each of sorted) give(each, room(each, rights, spare));
  return rights;
}

const bounded = ({ most }: RegionShare, amounts: Amounts): Amounts =>
  most === undefined ? amounts : smallerOf(most, amounts);

const positive = (amounts: Amounts): Amounts => beyond(amounts, NOTHING);

/** As much of it as the region's own bound still takes. */
function room(
  { region, most }: RegionShare,
  rights: ReadonlyMap<string, Amounts>,
  amounts: Amounts,
): Amounts {
  if (most === undefined) return amounts;
  return smallerOf(amounts, beyond(most, rights.get(region) ?? NOTHING));
}

/** Where the quota was made smaller than what is charged, each region keeps the same part of it. */
function scaled(amounts: Amounts, shares: readonly RegionShare[], pool: Amounts): Amounts {
  const all = shares.reduce((sum, each) => plus(sum, bounded(each, each.demand.charged)), NOTHING);
  return mapped((name) => {
    const have = Math.max(0, pool[name]);
    return all[name] <= have ? amounts[name] : Math.floor((amounts[name] * have) / all[name]);
  });
}

const parted = (amounts: Amounts, parts: number): Amounts =>
  mapped((name) => (parts === 0 ? 0 : Math.floor(amounts[name] / parts)));

const stillWanted = (share: RegionShare, rights: ReadonlyMap<string, Amounts>): Amounts => {
  const { charged, waiting } = share.demand;
  const wanted = beyond(waiting, beyond(rights.get(share.region) ?? NOTHING, charged));
  return room(share, rights, wanted);
};

interface Part {
  readonly rights: ReadonlyMap<string, Amounts>;
  readonly size: "largest" | "smallest";
  readonly amounts: Amounts;
}

/** All that waits if it fits, and as many replicas of that size as do otherwise. */
function forWaiting(share: RegionShare, { rights, size, amounts }: Part): Amounts {
  const { charged, waiting, [size]: one } = share.demand;
  const given = beyond(rights.get(share.region) ?? NOTHING, charged);
  const wanted = beyond(waiting, given);
  const free = room(share, rights, amounts);
  if (AMOUNT_NAMES.every((name) => wanted[name] <= free[name])) return wanted;
  const counts = AMOUNT_NAMES.filter((name) => one[name] > 0).map((name) =>
    Math.floor(free[name] / one[name]),
  );
  const count = counts.length === 0 ? 0 : Math.min(...counts);
  return smallerOf(
    wanted,
    mapped((name) => one[name] * count),
  );
}

function mapped(of: (name: (typeof AMOUNT_NAMES)[number]) => number): Amounts {
  return {
    cpuMillis: of("cpuMillis"),
    memoryMiB: of("memoryMiB"),
    deviceMillis: of("deviceMillis"),
  };
}
