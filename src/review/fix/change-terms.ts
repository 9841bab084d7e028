/**
 * Changes of one object that cost no machine, in the order in which they are tried: those that take
 * nothing from others first, then those at the cost of others, then those that promise less.
 */
import { plus, times } from "../../core/model/amounts.ts";
import { quotaKey, type ObjectKey } from "../../core/model/ids.ts";
import type { Workload } from "../../core/model/objects.ts";
import { classOf } from "../../core/model/preemption.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { type CapacityQuestion, workloadText } from "../capacity/capacity-question.ts";
import { type Candidate, withSpec, withTemplate } from "./candidate.ts";

/** As a recovery that states no time is often expected to take: five minutes. */
const WITHIN_MS = 300_000;

/** A skew beyond it is no spread any more. */
const SKEW_MOST = 3;

export interface Homeless {
  readonly workload: ObjectKey;
  readonly count: number;
}

export function* termChanges(
  objects: ObjectIndex,
  question: CapacityQuestion,
  homeless: readonly Homeless[],
): Iterable<Candidate> {
  const workloads = homeless.flatMap((each) => {
    const workload = objects.workload(each.workload);
    return workload === undefined ? [] : [{ workload, count: each.count }];
  });
  for (const { workload, count } of workloads) {
    yield* quotaChanges(objects, workload, count);
    yield* reserveChanges(objects, workload, question);
  }
  for (const { workload } of workloads) yield* priorityChanges(objects, workload);
  for (const { workload } of workloads) yield* looserRules(objects, workload);
}

function* quotaChanges(
  objects: ObjectIndex,
  { meta, spec }: Workload,
  count: number,
): Iterable<Candidate> {
  const quota = objects.all("Quota").get(quotaKey(meta.namespace));
  if (quota === undefined) return;
  const more = times(spec.template.ask.amounts, count);
  for (const [region, limit] of Object.entries(quota.spec.regions ?? {})) {
    const regions = { ...quota.spec.regions, [region]: plus(limit, more) };
    const applied = [{ ...quota, spec: { ...quota.spec, regions } }];
    const change = `raise the quota of tenant ${meta.namespace} in ${region} by what ${count} more of ${meta.name} request`;
    yield { change, applied, changed: applied };
  }
}

/** Room that is kept is taken by no other work before the loss, and by none after it. */
export function* reserveChanges(
  objects: ObjectIndex,
  workload: Workload,
  { serves, lose, which }: CapacityQuestion,
): Iterable<Candidate> {
  const { spec, key } = workload;
  if (spec.type !== "service") return;
  const allowed = spec.template.ask.regions;
  const known = [...new Set([...objects.all("Node").values()].map((node) => node.spec.region))];
  const left = known.filter((region) => lose !== "region" || region !== which).toSorted();
  const regions =
    serves?.in ?? left.filter((each) => allowed.length === 0 || allowed.includes(each));
  const had = spec.recovery;
  const replicas = Math.min(spec.replicas, serves?.replicas ?? spec.replicas);
  if (regions.length === 0 || replicas === 0) return;
  if (had !== undefined && had.replicas >= replicas) return;
  const recovery = { withinMs: had?.withinMs ?? WITHIN_MS, replicas, regions };
  const applied = [withSpec(workload, { recovery })];
  const of = workloadText(key);
  const change = `${had === undefined ? "set" : "raise"} the recovery reserve of ${of} to ${replicas} in ${regions.join(", ")}`;
  yield { change, applied, changed: applied };
}

/** The next higher class that there is: higher ones take more from others than is needed. */
export function* priorityChanges(
  objects: ObjectIndex,
  { key, spec }: Workload,
): Iterable<Candidate> {
  const classes = objects.all("PriorityClass");
  const { value } = classOf(classes, spec.template.priorityClass);
  const higher = [...classes.values()]
    .filter((each) => each.spec.value > value)
    .toSorted((a, b) => a.spec.value - b.spec.value || (a.key < b.key ? -1 : 1));
  for (const { meta } of higher.slice(0, 2)) {
    const template = { ...spec.template, priorityClass: meta.name };
    const change = `give ${workloadText(key)} the priority class ${meta.name}`;
    yield { change, ...withTemplate(objects, key, template) };
  }
}

function* looserRules(objects: ObjectIndex, { key, spec }: Workload): Iterable<Candidate> {
  const of = workloadText(key);
  const { template } = spec;
  for (const [at, spread] of template.spread.entries()) {
    if (spread.soft === true) continue;
    const withSpread = (next: typeof spread): Pick<Candidate, "applied" | "changed"> =>
      withTemplate(objects, key, { ...template, spread: template.spread.with(at, next) });
    for (let maxSkew = spread.maxSkew + 1; maxSkew <= SKEW_MOST; maxSkew += 1) {
      const change = `raise maxSkew of the spread of ${of} over ${spread.by}s to ${maxSkew}`;
      yield { change, ...withSpread({ ...spread, maxSkew }) };
    }
    const change = `make the spread of ${of} over ${spread.by}s soft`;
    yield { change, ...withSpread({ ...spread, soft: true }) };
  }
  if (template.maxPerNode !== undefined) {
    const maxPerNode = template.maxPerNode + 1;
    const change = `raise maxPerNode of ${of} to ${maxPerNode}`;
    yield { change, ...withTemplate(objects, key, { ...template, maxPerNode }) };
  }
}
