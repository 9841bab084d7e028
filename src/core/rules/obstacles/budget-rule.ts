/**
 * Room that is kept for what a workload has lost, as one of its replicas may take it, and whether a
 * budget pays for that (RV8, BU4). By the same check that its bind would meet.
 */
import { ROOM_RULES } from "../feasibility/feasibility.ts";
import { NOTHING } from "../../model/amounts.ts";
import { recoveryBudgetText } from "../../model/recovery-budget.ts";
import type { Replica } from "../../model/objects.ts";
import { roomOf } from "../../model/reservation.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { recoveryBudgetFor } from "../recovery/recovery-budget-for.ts";
import { allRecoveryBudgets, recoveryRules } from "../recovery/recovery-budgets-now.ts";
import { RECOVERY_BUDGETS_FACT } from "../../observe/facts.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import { tightUse } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { urgentOf } from "../../observe/recovery-now.ts";
import { sparesOf } from "../recovery/spare-rooms.ts";
import type { NodeUse } from "../../observe/usage.ts";
import type { KeptRooms } from "./obstacle.ts";
import type { PlacementRule } from "./placement-rule.ts";

/** None while nothing is lost: then it is as closed to the workload itself as to others. */
export function keptRooms(objects: ObjectIndex, replica: Replica): KeptRooms {
  const workload = objects.workload(workloadOf(replica));
  if (workload === undefined || urgentOf(objects, workload) === 0) return new Map();
  return new Map(
    sparesOf(objects, workload).map(({ key, spec }) => [roomOf(spec)?.node ?? "", key]),
  );
}

/**
 * What is taken there by others than the replica itself, now or once what is held has been taken.
 */
export function useFor(
  objects: ObjectIndex,
  { node, replica, kept }: { node: string; replica: Replica; kept?: KeptRooms },
): NodeUse {
  const own = kept?.get(node);
  return tightUse(objects, node, (held) => isHeldFor(held, replica) || held.key === own);
}

export const budgetRule: PlacementRule = {
  name: "recovery-budget",
  wakes: () => [RECOVERY_BUDGETS_FACT],
  obstacles({ node, replica }, { objects, kept, granted }) {
    const { name } = node.meta;
    const { region } = node.spec;
    if (!kept.has(name) || granted.includes(region)) return [];
    if (recoveryRules(objects) === undefined) return [];
    const { ask } = replica.spec.template;
    // Room that is open to every replica needs no budget.
    const open = { node, use: useFor(objects, { node: name, replica }) };
    if (ROOM_RULES.every((rule) => rule.check(open, ask) === undefined)) return [];
    const earlier = { bindsOf: () => 0, spentOf: () => NOTHING };
    if (recoveryBudgetFor(objects, { replica, region, earlier }) !== undefined) return [];
    const there = allRecoveryBudgets(objects).filter(({ spec }) => spec.region === region);
    return [
      {
        rule: budgetRule.name,
        code: "budget-missing",
        what: region,
        expected: "a budget that covers the recovery reserve",
        actual:
          there.length === 0 ? "none" : there.map((each) => recoveryBudgetText(each)).join(", "),
        remedy: { kind: "grant-budget", region, amounts: ask.amounts },
      },
    ];
  },
};
