/**
 * The partitioned regions, and the work that may be bound there, computed a second time from the
 * text of the rules: plain walks over the objects of one moment.
 */
import { nodeKey } from "../../../core/model/ids.ts";
import type { RecoveryBudget, Node, Override, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { holdingAt } from "./naive-overrides.ts";
import { naiveSpread, rulesAt } from "./naive-policy.ts";
import { workloadOf } from "./naive-wanted.ts";

/** The default of the rules; no world sets another number. */
const USUAL_CONFIRM_MS = 10 * 60_000;

/**
 * The marks on the region; with a time of the authority's clock, only those that have not ended by
 * it.
 */
export const marksOf = (
  objects: ObjectIndex,
  region: string | undefined,
  atMs?: number,
): readonly Override[] =>
  [...holdingAt(objects, atMs)].filter(
    ({ spec }) => spec.action === "mark-partitioned" && spec.target.region === region,
  );

export const nodeOf = (objects: ObjectIndex, { status }: Replica): Node | undefined =>
  status.node === undefined ? undefined : objects.node(nodeKey(status.node));

/** Why the replica is not low-risk in the region; undefined: it is. */
export function whyNotLowRisk(
  objects: ObjectIndex,
  replica: Replica,
  region: string,
): string | undefined {
  const { template } = replica.spec;
  const { ask, affinity, priorityClass } = template;
  if (ask.regions.length > 0 || ask.zones.length > 0) return "is bound to places";
  if (workloadOf(objects, replica)?.spec.gang !== undefined) return "is of a gang";
  if (template.onDisconnect === "keep") return "keeps running when disconnected";
  if (naiveSpread(objects, template).some((rule) => rule.soft !== true)) return "is spread";
  const terms = affinity === undefined ? [] : [...affinity.required, ...affinity.antiRequired];
  if (terms.some((term) => term.by !== "node")) return "minds neighbours beyond its node";
  for (const { meta, spec } of objects.all("Quota").values()) {
    if (meta.namespace !== replica.meta.namespace) continue;
    if (spec.group !== undefined) return "shares its quota with others";
    if (Object.keys(spec.classes ?? {}).includes(priorityClass)) return "has a bound for its class";
  }
  const listed = degradedAt(objects, region)?.lowRisk ?? [];
  return listed.includes(priorityClass) ? undefined : "is of no class that is called low-risk";
}

/** From the policy `default`, regardless of the workload's policy. */
function degradedAt(objects: ObjectIndex, region: string | undefined) {
  const nobody = { policy: "default" } as Replica["spec"]["template"];
  return rulesAt(objects, nobody, region)?.degraded;
}

/** How long a binding there may stay unconfirmed. */
export const confirmMsAt = (objects: ObjectIndex, region: string | undefined): number =>
  degradedAt(objects, region)?.confirmWithinMs ?? USUAL_CONFIRM_MS;

/** Whether the marks on the region allow the replica; a view has no clock. */
export function isTakenThere(
  objects: ObjectIndex,
  replica: Replica,
  { spec: { region } }: Node,
): boolean {
  const marks = marksOf(objects, region);
  if (marks.length === 0) return true;
  if (whyNotLowRisk(objects, replica, region) !== undefined) return false;
  return [...objects.all("RecoveryBudget").values()].some(
    (budget) =>
      budget.meta.deletingMs === undefined &&
      budget.spec.region === region &&
      pays(objects, budget, replica) &&
      marks.every(({ status }) =>
        (status.budgets ?? []).some(({ uid }) => uid === budget.meta.uid),
      ),
  );
}

/** Whether the budget covers the replica, with the overrides that raise it. */
function pays(objects: ObjectIndex, { meta, spec }: RecoveryBudget, replica: Replica): boolean {
  const { tenants, classes } = spec;
  const { ask, priorityClass } = replica.spec.template;
  if (tenants !== undefined && !tenants.includes(replica.meta.namespace)) return false;
  if (classes !== undefined && !classes.includes(priorityClass)) return false;
  let percent = 100;
  for (const { spec: of } of holdingAt(objects)) {
    const isRaised = of.action === "raise-budget" && of.target.region === spec.region;
    if (isRaised) percent += of.amount ?? 0;
  }
  const spending = [...objects.all("Replica").values()].filter(
    (other) => isHolding(other) && other.status.budget === meta.name,
  );
  return (["cpuMillis", "memoryMiB", "deviceMillis"] as const).every((name) => {
    const spent = spending.reduce((sum, other) => sum + other.spec.template.ask.amounts[name], 0);
    const granted = Math.floor((spec.amounts[name] * percent) / 100);
    return ask.amounts[name] === 0 || spent + ask.amounts[name] <= granted;
  });
}
