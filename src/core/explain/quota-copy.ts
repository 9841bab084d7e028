/**
 * The accounts of one tenant and its group, with more quota than there is: what the real rules
 * would say then.
 */
import { AMOUNT_NAMES, type AmountName, type Amounts, plus, NOTHING } from "../model/amounts.ts";
import type { QuotaSpec } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import type { Remedy } from "../rules/obstacles/remedy.ts";

export type Raise = Extract<Remedy, { kind: "raise-quota" | "create-quota" }>;

export const isRaise = (remedy: Remedy): remedy is Raise =>
  remedy.kind === "raise-quota" || remedy.kind === "create-quota";

/**
 * Who waits is counted for whom a tenant may borrow from; more than these cannot make the sum much
 * larger.
 */
const WAITING_COPIED = 10_000;

export function withRaises(
  objects: ObjectIndex,
  tenant: string,
  raises: readonly Raise[],
): ObjectIndex {
  const copy = new ObjectIndex();
  let left = WAITING_COPIED;
  for (const member of objects.quotaUsage.membersWith(tenant)) {
    const { spec, byClass, byRegion, admitted } = objects.quotaUsage.of(member);
    const raised = member === tenant ? raises.reduce(raisedSpec, spec) : spec;
    copy.quotaUsage.setQuota(member, raised);
    for (const [priorityClass, amounts] of byClass) {
      copy.quotaUsage.post({ tenant: member, side: "reserved", priorityClass, amounts }, 1);
    }
    const regions = copy.quotaUsage.of(member).byRegion;
    for (const [region, balance] of byRegion) regions.set(region, { ...balance });
    for (const [key, after] of admitted) {
      if (left === 0) break;
      // Who has a reservation waits for nothing any more, and what it holds is in the sums above.
      if (objects.reservationsOf(key).length > 0) continue;
      copy.fold({ key, before: undefined, after });
      left -= 1;
    }
  }
  return copy;
}

const NO_QUOTA: QuotaSpec = { limit: NOTHING };

/** The quota with the bound raised. */
export function raisedSpec(spec: QuotaSpec = NO_QUOTA, raise: Raise): QuotaSpec {
  if (raise.kind === "create-quota") return { ...spec, limit: raise.amounts };
  const { bound, name, amount } = raise;
  const more = onlyOf(name, amount);
  switch (bound.of) {
    case "tenant":
      return { ...spec, limit: plus(spec.limit, more) };
    case "class": {
      const limit = plus(spec.classes?.[bound.priorityClass] ?? NOTHING, more);
      return { ...spec, classes: { ...spec.classes, [bound.priorityClass]: limit } };
    }
    case "region": {
      const limit = plus(spec.regions?.[bound.region] ?? NOTHING, more);
      return { ...spec, regions: { ...spec.regions, [bound.region]: limit } };
    }
  }
}

function onlyOf(name: AmountName, amount: number): Amounts {
  const [cpuMillis = 0, memoryMiB = 0, deviceMillis = 0] = AMOUNT_NAMES.map((each) =>
    each === name ? amount : 0,
  );
  return { cpuMillis, memoryMiB, deviceMillis };
}
