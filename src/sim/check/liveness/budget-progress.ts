/**
 * What budgets of recoveries mean for `unfinished.ts`: that one which is over and of which nothing
 * is spent goes, and that a recovery gets what the policy in force grants it and the reserve
 * allows.
 */
import type { BudgetTerms } from "../../../core/model/budget.ts";
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
} from "../models/naive-budgets.ts";
import { holdingAt } from "../models/naive-overrides.ts";
import type { Unfinished } from "./unfinished-work.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";

/**
 * Two leaderships may differ by as much as wall clocks do in the simulator, in either direction.
 */
const CLOCKS_APART_MS = 170_000;

/** One that outlives the run is no reason to go on with it. */
const WAITED_FOR_MS = 300_000;

export function* budgetsLeft(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  const atMs = lastReadMs(truth);
  for (const budget of objects.all("Budget").values()) {
    const { key, spec, status } = budget;
    const spent = spentOf(objects, budget);
    if (AMOUNT_NAMES.some((name) => spent[name] > 0)) continue;
    const isOver = !isInForceAt(budget, atMs);
    // What the policy grants may be granted again for as long as there is need: nothing is stuck.
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
  // A grant may be for less time than passes between two looks at the world: it is over then, and
  // granted again.
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

const whoRecovers = (objects: ObjectIndex, grant: BudgetTerms): Workload | undefined =>
  [...objects.all("Workload").values()].find(
    ({ meta, spec, status }) =>
      status.recovery?.under !== undefined &&
      spec.recovery?.regions.includes(grant.region) === true &&
      isFor(grant, meta.namespace, spec.template.priorityClass),
  );

/** By any budget of the policy's for the same work: which of two grants it came of is not asked. */
const isGranted = (objects: ObjectIndex, grant: BudgetTerms, atMs: number): boolean =>
  [...objects.all("Budget").values()].some(
    (budget) =>
      budget.status.grant !== undefined && isInForceAt(budget, atMs) && isLike(budget, grant),
  );

/** As it would be raised, too, and beside all that nobody has said to be over. */
function fitsReserve(objects: ObjectIndex, { region, amounts }: BudgetTerms): boolean {
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
