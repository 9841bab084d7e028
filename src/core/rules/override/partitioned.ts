/**
 * Decisions that are allowed in a partitioned region. A person has marked it (override
 * `mark-partitioned`); until the mark ends, only what can be checked inside the region alone is
 * bound there (DG3, DG4). Schedulers ask it of their view, the authority of the truth, and
 * explanations of what they are shown; they can differ in what they know, never in what they mean.
 */
import { recoveryBudgetKey } from "../../model/recovery-budget.ts";
import { isPartitioned, overrideText } from "../../model/override.ts";
import type { Override, Replica } from "../../model/objects.ts";
import { CONFIRM_WITHIN_MS, DEFAULT_POLICY } from "../../model/policy.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { defaultRules, spreadInForce } from "../../observe/policy-in-force.ts";
import { overridesInForce } from "./overrides-in-force.ts";

/**
 * The name under which decisions count what a mark turned away, and the reason of waits for its
 * end.
 */
export const PARTITIONED_RULE = "region-partitioned";

const NONE: readonly Override[] = [];

/** Those who have marked the region, in the order of their names. Each counts by itself. */
export function marksOn(objects: ObjectIndex, region: string, nowMs?: number): readonly Override[] {
  const overrides = overridesInForce(objects, nowMs);
  if (overrides.length === 0) return NONE;
  return overrides.filter((each) => isPartitioned(each) && each.spec.target.region === region);
}

/** What made work one that is not decided about inside one region alone. */
export type SensitiveTest =
  | "residency"
  | "gang"
  | "disconnect"
  | "spread"
  | "neighbours"
  | "quota"
  | "risk"
  | "budget";

export interface Sensitive {
  readonly test: SensitiveTest;
  /** For people: what is so about it. */
  readonly text: string;
}

/**
 * The first test by which the replica is policy-sensitive there; undefined: it is of low risk
 * (DG3).
 */
export function whySensitive(
  objects: ObjectIndex,
  replica: Replica,
  region: string,
): Sensitive | undefined {
  const { ask, onDisconnect, affinity } = replica.spec.template;
  if (ask.regions.length + ask.zones.length > 0) {
    return { test: "residency", text: "its placement names regions or zones" };
  }
  const workload = objects.workload(workloadOf(replica));
  if (workload?.spec.gang !== undefined) {
    return { test: "gang", text: "it belongs to a gang" };
  }
  if (onDisconnect === "keep") {
    return { test: "disconnect", text: "it keeps running when disconnected" };
  }
  if (spreadInForce(objects, replica.spec.template).some(({ soft }) => soft !== true)) {
    return { test: "spread", text: "its spread also counts places outside the region" };
  }
  const terms = [...(affinity?.required ?? []), ...(affinity?.antiRequired ?? [])];
  const wide = terms.find(({ by }) => by !== "node");
  if (wide !== undefined) {
    return { test: "neighbours", text: `its affinity is counted by ${wide.by}` };
  }
  return sharedQuota(objects, replica) ?? unlisted(objects, replica, region);
}

/**
 * What others use of it is not known there. A bound for the region itself is: it is kept as ever
 * (QT7).
 */
function sharedQuota(objects: ObjectIndex, { meta, spec }: Replica): Sensitive | undefined {
  const quota = objects.quotaUsage.of(meta.namespace).spec;
  const { priorityClass } = spec.template;
  if (quota?.group !== undefined) {
    return { test: "quota", text: `its tenant's quota is in the group ${quota.group}` };
  }
  return quota?.classes?.[priorityClass] === undefined
    ? undefined
    : { test: "quota", text: `its tenant's quota bounds the class ${priorityClass || "(none)"}` };
}

function unlisted(objects: ObjectIndex, { spec }: Replica, region: string): Sensitive | undefined {
  const { lowRisk = [] } = defaultRules(objects, region).degraded ?? {};
  const { priorityClass } = spec.template;
  if (lowRisk.includes(priorityClass)) return undefined;
  const what = priorityClass === "" ? "work without a class" : `the class ${priorityClass}`;
  return { test: "risk", text: `policy ${DEFAULT_POLICY} does not call ${what} low-risk there` };
}

/**
 * Why a bind may not rest on this budget while the mark holds, as far as the mark says it (DG4).
 */
export function unreachedRecoveryBudget(
  objects: ObjectIndex,
  { status }: Override,
  { budget, nowMs }: { readonly budget: string | undefined; readonly nowMs?: number | undefined },
): Sensitive | undefined {
  if (budget === undefined) return { test: "budget", text: "it uses no budget of the region" };
  const uid = objects.all("RecoveryBudget").get(recoveryBudgetKey(budget))?.meta.uid;
  const reached = status.budgets?.find((each) => each.name === budget && each.uid === uid);
  if (reached === undefined) {
    return {
      test: "budget",
      text: `recovery budget ${budget} was not granted before the region was partitioned`,
    };
  }
  // That it was made to last longer is not known there.
  return nowMs === undefined || nowMs < reached.untilMs
    ? undefined
    : { test: "budget", text: `recovery budget ${budget} has expired as far as the region knows` };
}

/** How long what is bound there may wait for its confirmation (DG6). */
export const confirmWithinMs = (objects: ObjectIndex, region: string | undefined): number =>
  defaultRules(objects, region).degraded?.confirmWithinMs ?? CONFIRM_WITHIN_MS;

/**
 * e.g. "override ov-1 (mark-partitioned by ana until 2026-11-16T12:30:00Z): residency, its
 * placement names regions or zones"
 */
export const partitionedText = (mark: Override, { test, text }: Sensitive): string =>
  `${overrideText(mark)}: ${test}, ${text}`;
