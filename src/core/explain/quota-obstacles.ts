/**
 * What keeps a replica from being queued: quota that it does not hold yet. A gang takes quota for
 * all of its members or for none (GA2), so it is asked about all of them.
 */
import { AMOUNT_NAMES, type Amounts, times } from "../model/amounts.ts";
import type { Replica } from "../model/objects.ts";
import { quotaShort } from "../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { Obstacle } from "../rules/obstacles/obstacle.ts";
import type { QuotaBound } from "../rules/obstacles/remedy.ts";
import type { Gang } from "./gang-of.ts";
import { type Raise, withRaises } from "./quota-copy.ts";

/** What has to be reserved before the replica is queued; undefined: it holds its quota. */
export function quotaNeeded(replica: Replica, gang: Gang | undefined): Amounts | undefined {
  const { amounts } = replica.spec.template.ask;
  if (gang !== undefined) return gang.unqueued === 0 ? undefined : times(amounts, gang.unqueued);
  return replica.status.stage === "admitted" ? amounts : undefined;
}

export function quotaObstacles(
  objects: ObjectIndex,
  replica: Replica,
  gang: Gang | undefined,
): readonly Obstacle[] {
  const needed = quotaNeeded(replica, gang);
  if (needed === undefined) return [];
  const whose = gang === undefined ? "" : ` for ${membersText(gang.unqueued)} of its gang`;
  return raisesFor(objects, replica, needed).map((remedy): Obstacle => {
    if (remedy.kind === "create-quota") {
      const what = `quota of ${remedy.tenant}`;
      return {
        rule: "quota",
        code: "quota-missing",
        what,
        expected: "one",
        actual: "none",
        remedy,
      };
    }
    const { bound, name, amount } = remedy;
    return {
      rule: "quota",
      code: "quota-exceeded",
      what: `${bound.of} quota of ${bound.tenant}, ${name}${whose}`,
      expected: needed[name],
      actual: needed[name] - amount,
      remedy,
    };
  });
}

const membersText = (count: number): string => (count === 1 ? "1 member" : `${count} members`);

/** What would have to be raised; found by asking again after each raise. */
export function raisesFor(
  objects: ObjectIndex,
  { meta, spec }: Replica,
  amounts: Amounts | undefined,
): readonly Raise[] {
  if (amounts === undefined) return [];
  const { namespace: tenant } = meta;
  const { priorityClass } = spec.template;
  if (objects.quotaUsage.of(tenant).spec === undefined) {
    return [{ kind: "create-quota", tenant, amounts }];
  }
  const raises: Raise[] = [];
  // Each of three bounds may be short of each amount.
  for (let round = 0; round < 3 * AMOUNT_NAMES.length; round += 1) {
    const copy = withRaises(objects, tenant, raises);
    const short = quotaShort(copy, { tenant, priorityClass, amounts });
    if (short === undefined) return raises;
    const bound: QuotaBound =
      short.bound === "class" ? { of: "class", tenant, priorityClass } : { of: "tenant", tenant };
    const amount = amounts[short.name] - short.room;
    raises.push({ kind: "raise-quota", bound, name: short.name, amount });
  }
  return raises;
}
