/**
 * The part of recovery budgets in `unfinished.ts`: an ended budget with nothing spent goes, and a
 * recovery gets the budget that the policy in force grants, as far as the policy's ceiling allows.
 */
import type { RecoveryBudgetTerms } from "../../../core/model/recovery-budget.ts";
import { policyKey } from "../../../core/model/ids.ts";
import type { Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Truth } from "../checker.ts";
import {
  isFor,
  isInForceAt,
  isLike,
  outstandingAt,
  recoveryTerms,
  spentOf,
} from "../models/naive-recovery-budgets.ts";
import { holdingAt } from "../models/naive-overrides.ts";
import type { Unfinished } from "./unfinished-work.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";

/**
 * In the simulator, the wall clocks of two leaderships may differ by this much, in either
 * direction.
 */
const CLOCKS_APART_MS = 170_000;

/** A budget that outlives the run does not prolong it. */
const WAITED_FOR_MS = 300_000;

export function* budgetsLeft(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  const atMs = lastReadMs(truth);
  for (const budget of objects.all("RecoveryBudget").values()) {
    const { key, spec, status } = budget;
    const spent = spentOf(objects, budget);
    if (AMOUNT_NAMES.some((name) => spent[name] > 0)) continue;
    const isOver = !isInForceAt(budget, atMs);
    // The policy may grant again for as long as a recovery needs it, so nothing is stuck.
    const isWaitedFor = status.grant === undefined && spec.ttlMs <= WAITED_FOR_MS;
    if (!isOver && !isWaitedFor) continue;
    yield {
      rule: "LIV62",
      key,
      stuckAs: isOver ? "over" : `until ${status.untilMs}`,
      patienceMs: stallMs + (isOver ? 0 : spec.ttlMs + CLOCKS_APART_MS),
      message: `${key} was for ${spec.ttlMs} ms, nothing is spent of it, and it is still there.`,
    };
  }
}

/** The authority's clock, as of when it was last read. */
const lastReadMs = ({ commits }: Truth): number => commits.at(-1)?.atMs ?? 0;

export function* budgetsNotGranted(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  const grants = recoveryTerms(objects)?.grants ?? [];
  const atMs = lastReadMs(truth);
  // A grant may be shorter than the time between two looks at the world. It has then ended and is
  // made again.
  const granted = objects.all("Policy").get(policyKey("default"))?.status.granted ?? 0;
  for (const grant of grants) {
    const { region } = grant;
    const who = whoRecovers(objects, grant);
    if (who === undefined || isGranted(objects, grant, atMs)) continue;
    if (!fitsReserve(objects, grant)) continue;
    yield {
      rule: "LIV63",
      key: who.key,
      stuckAs: `nothing of ${region} after ${granted}`,
      patienceMs: stallMs,
      message: `${who.key} recovers, and what the policy grants it in ${region} is not granted.`,
    };
  }
}

const whoRecovers = (objects: ObjectIndex, grant: RecoveryBudgetTerms): Workload | undefined =>
  [...objects.all("Workload").values()].find(
    ({ meta, spec, status }) =>
      status.recovery?.under !== undefined &&
      spec.recovery?.regions.includes(grant.region) === true &&
      isFor(grant, meta.namespace, spec.template.priorityClass),
  );

/** Any budget of the policy for the same work counts, of either grant. */
const isGranted = (objects: ObjectIndex, grant: RecoveryBudgetTerms, atMs: number): boolean =>
  [...objects.all("RecoveryBudget").values()].some(
    (budget) =>
      budget.status.grant !== undefined && isInForceAt(budget, atMs) && isLike(budget, grant),
  );

/** Counts the grant as people would raise it, beside all budgets that no commit has ended. */
function fitsReserve(objects: ObjectIndex, { region, amounts }: RecoveryBudgetTerms): boolean {
  const reserve = recoveryTerms(objects)?.reserve;
  const outstanding = outstandingAt(objects);
  let percent = 100;
  for (const { spec } of holdingAt(objects)) {
    if (spec.action === "raise-budget" && spec.target.region === region) {
      percent += spec.amount ?? 0;
    }
  }
  return AMOUNT_NAMES.every(
    (name) =>
      reserve !== undefined &&
      outstanding[name] + Math.ceil((amounts[name] * percent) / 100) <= reserve[name],
  );
}
