/**
 * How a budget stands, worked out when it is read: what it grants as it is raised, what is spent
 * and left, and by whom.
 */
import { Type } from "typebox";
import { type Amounts, AMOUNT_NAMES, equalAmounts, NOTHING } from "../../../core/model/amounts.ts";
import { isClosed } from "../../../core/model/recovery-budget.ts";
import type { RecoveryBudget, Replica } from "../../../core/model/objects.ts";
import { holdsNode } from "../../../core/model/stage.ts";
import {
  grantedNow,
  heldOfReserve,
  leftNow,
  recoveryRules,
} from "../../../core/rules/recovery/recovery-budgets-now.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { rfc3339, rfc3339Millis } from "../../rfc3339.ts";
import { choice, fields, text, time } from "../../schema/shapes.ts";
import { cpuShare, memoryShare, shownAmounts, writeAmounts } from "../text/amounts-text.ts";
import { type Condition, conditionsSchema, writeConditions } from "./condition.ts";
import { atLeastNothing } from "./reserve-shown.ts";

/**
 * InForce: it may be spent. HasLeft: something of all that it grants is left. WithinReserve: all
 * budgets together fit.
 */
export const RECOVERY_BUDGET_CONDITIONS = ["InForce", "HasLeft", "WithinReserve"] as const;

/** "over" and "withdrawn": it is only there for what is still spent of it. */
export const RECOVERY_BUDGET_STATES = ["in-force", "used-up", "over", "withdrawn"] as const;
export type RecoveryBudgetState = (typeof RECOVERY_BUDGET_STATES)[number];

/** A list of replicas shows all of thousands. */
const REPLICAS_SHOWN = 64;

export const recoveryBudgetStatus = fields("Its owner, when it expires, and what it has left.", {
  owner: text("The owner; only the owner can extend it."),
  since: time("When it was granted."),
  until: time("When it expires."),
  extensions: Type.Integer({ description: "How many times it was extended." }),
  grantedBy: Type.Optional(
    fields("Set if the policy granted it; any operator may withdraw it.", {
      policyRevision: text("The policy revision that grants it."),
      grant: Type.Integer({ description: "The index of the grant, from 0." }),
    }),
  ),
  state: choice("Its state, in one word.", RECOVERY_BUDGET_STATES),
  granted: shownAmounts("The granted amount."),
  raised: Type.Optional(shownAmounts("The granted amount, raised by overrides.")),
  spent: shownAmounts("The amount in use by live bindings."),
  left: shownAmounts("The amount left."),
  replicaCount: Type.Integer({ description: "The number of replicas that use it." }),
  replicas: Type.Array(Type.String(), {
    description: `The first ${REPLICAS_SHOWN} of them, as tenant/name.`,
  }),
  conditions: Type.Optional(conditionsSchema),
});

export function writeRecoveryBudgetStatus(budget: RecoveryBudget, objects: ObjectIndex) {
  const { meta, spec, status } = budget;
  const { owner, sinceMs, untilMs, extensions, grant } = status;
  const granted = grantedNow(objects, budget);
  const spent = objects.budgets.spent(meta.name);
  const replicas = spentBy(meta.name, spent, objects);
  return {
    owner,
    since: rfc3339Millis(sinceMs),
    until: rfc3339Millis(untilMs),
    extensions,
    ...(grant === undefined
      ? {}
      : { grantedBy: { policyRevision: grant.policyRevision, grant: grant.index } }),
    state: recoveryBudgetState(budget, objects),
    granted: writeAmounts(spec.amounts),
    ...(equalAmounts(granted, spec.amounts) ? {} : { raised: writeAmounts(granted) }),
    spent: writeAmounts(spent),
    left: writeAmounts(isClosed(budget) ? NOTHING : atLeastNothing(leftNow(objects, budget))),
    replicaCount: replicas.length,
    replicas: replicas.slice(0, REPLICAS_SHOWN),
    conditions: writeConditions(conditionsOf(budget, objects, replicas.length)),
  };
}

/** As tenant/name, in their order. Only where something is spent is anybody looked for. */
function spentBy(name: string, spent: Amounts, objects: ObjectIndex): readonly string[] {
  if (equalAmounts(spent, NOTHING)) return [];
  const isOn = ({ status }: Replica): boolean => status.budget === name && holdsNode(status.stage);
  return [...objects.all("Replica").values()]
    .filter(isOn)
    .map(({ meta }) => `${meta.namespace}/${meta.name}`)
    .toSorted();
}

export function recoveryBudgetState(
  budget: RecoveryBudget,
  objects: ObjectIndex,
): RecoveryBudgetState {
  if (isClosed(budget)) return isWithdrawn(budget) ? "withdrawn" : "over";
  return usedUp(budget, objects) === undefined ? "in-force" : "used-up";
}

const isWithdrawn = ({ meta, status }: RecoveryBudget): boolean =>
  (meta.deletingMs ?? status.untilMs) < status.untilMs;

/** An amount that it grants and of which nothing is left. */
function usedUp(budget: RecoveryBudget, objects: ObjectIndex) {
  const left = leftNow(objects, budget);
  return AMOUNT_NAMES.find((amount) => budget.spec.amounts[amount] > 0 && left[amount] <= 0);
}

/** e.g. "2/8 cpu, 4Gi/16Gi" */
export function spentText(budget: RecoveryBudget, objects: ObjectIndex): string {
  const spent = objects.budgets.spent(budget.meta.name);
  const granted = grantedNow(objects, budget);
  return `${cpuShare(spent, granted)} cpu, ${memoryShare(spent, granted)}`;
}

function conditionsOf(
  budget: RecoveryBudget,
  objects: ObjectIndex,
  count: number,
): readonly Condition[] {
  return [
    inForce(budget, objects, count),
    hasLeft(budget, objects),
    withinReserve(budget, objects),
  ];
}

function inForce(budget: RecoveryBudget, objects: ObjectIndex, count: number): Condition {
  const { meta, status } = budget;
  const type = "InForce";
  if (!isClosed(budget)) {
    const message = `It is in force until ${rfc3339(status.untilMs)}.`;
    return { type, status: "True", reason: "Granted", message, sinceMs: status.sinceMs };
  }
  const spent = writeAmounts(objects.budgets.spent(meta.name));
  const who = count === 1 ? "1 replica still spends" : `${count} replicas still spend`;
  const message = `It covers no new bindings. ${who} ${spent.cpu} cpu and ${spent.memory} of it; it is removed with the last of them.`;
  const reason = isWithdrawn(budget) ? "Withdrawn" : "TimeIsOver";
  return { type, status: "False", reason, message, sinceMs: meta.deletingMs ?? status.untilMs };
}

const AMOUNT_WORDS = { cpuMillis: "cpu", memoryMiB: "memory", deviceMillis: "devices" } as const;

function hasLeft(budget: RecoveryBudget, objects: ObjectIndex): Condition {
  const { sinceMs } = budget.status;
  const type = "HasLeft";
  const short = usedUp(budget, objects);
  if (short !== undefined) {
    const message = `Its ${AMOUNT_WORDS[short]} is used up (${spentText(budget, objects)}). Grant another budget, or raise it with an override of the region.`;
    return { type, status: "False", reason: "UsedUp", message, sinceMs };
  }
  const left = writeAmounts(atLeastNothing(leftNow(objects, budget)));
  const message = `${left.cpu} cpu and ${left.memory} are left of it.`;
  return { type, status: "True", reason: "SomethingIsLeft", message, sinceMs };
}

/** The same for all of them: what one was granted may have been fine when it was. */
function withinReserve({ status: { sinceMs } }: RecoveryBudget, objects: ObjectIndex): Condition {
  const type = "WithinReserve";
  const rules = recoveryRules(objects);
  if (rules === undefined) {
    const message =
      "The policy in force has no reserve: recoveries need no budget, and none is granted.";
    return { type, status: "False", reason: "NotBudgeted", message, sinceMs };
  }
  const held = heldOfReserve(objects);
  const isOver = AMOUNT_NAMES.some((name) => held[name] > rules.reserve[name]);
  const come = `All budgets together use ${cpuShare(held, rules.reserve)} cpu and ${memoryShare(held, rules.reserve)} of the reserve`;
  return isOver
    ? {
        type,
        status: "False",
        reason: "ReserveTooSmall",
        message: `${come}; existing budgets stay, and no new one is granted until they fit again.`,
        sinceMs,
      }
    : { type, status: "True", reason: "Fits", message: `${come}.`, sinceMs };
}
