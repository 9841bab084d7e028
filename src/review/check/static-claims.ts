/**
 * What can be said of a promise without a failure, from the objects as they are: whether what it is
 * about exists, whether it holds today, and whether what protects it adds up.
 */
import { AMOUNT_NAMES, type Amounts } from "../../core/model/amounts.ts";
import { isReadyStage } from "../../core/model/stage.ts";
import { domainOf } from "../../core/model/topology.ts";
import type { Labels } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import {
  isAbout,
  kindOf,
  type StatedPromise,
  tenantOfPromise,
  workloadOfPromise,
} from "../promise.ts";
import type { Verdict } from "../review.ts";

export interface Claim {
  readonly verdict: Verdict;
  /** Cause first, without a full stop. */
  readonly reason: string;
}

/** Undefined: nothing that is there today decides it. */
export function staticClaim(objects: ObjectIndex, promise: StatedPromise): Claim | undefined {
  const absent = absentOf(objects, promise);
  if (absent !== undefined) return { verdict: "not-shown", reason: absent };
  const kind = kindOf(promise);
  if (kind === "keepServing" || kind === "recover") return servingToday(objects, promise);
  if (kind === "isolation") return promisedToAll(objects, promise);
  return kind === "invariant" ? boundsToday(objects, promise) : undefined;
}

function absentOf(objects: ObjectIndex, promise: StatedPromise): string | undefined {
  const workload = workloadOfPromise(promise);
  if (workload !== undefined && objects.workload(workload) === undefined) {
    const known = [...objects.all("Workload").keys()].map(workloadText);
    return `the fleet has no workload ${workloadText(workload)}.${didYouMean(workloadText(workload), known)}`.replace(
      /\.$/,
      "",
    );
  }
  const tenant = tenantOfPromise(promise);
  const tenants = [...objects.all("Tenant").values()].map(({ meta }) => meta.name);
  if (workload === undefined && tenant !== undefined && !tenants.includes(tenant)) {
    return `the fleet has no tenant ${tenant}.${didYouMean(tenant, tenants)}`.replace(/\.$/, "");
  }
  const asked = promise.spec.wait?.priorityClass;
  const classes = [...objects.all("PriorityClass").values()].map(({ meta }) => meta.name);
  if (asked !== undefined && !classes.includes(asked)) {
    return `the fleet has no priority class ${asked}.${didYouMean(asked, classes)}`.replace(
      /\.$/,
      "",
    );
  }
  const regions = new Set([...objects.all("Node").values()].map(({ spec }) => spec.region));
  const elsewhere = promise.spec.recover?.in?.find((region) => !regions.has(region));
  return elsewhere === undefined ? undefined : `no node of the fleet is in region ${elsewhere}`;
}

/** A workload that asks for fewer than it is promised never has as many. */
function servingToday(objects: ObjectIndex, promise: StatedPromise): Claim | undefined {
  const key = workloadOfPromise(promise);
  const workload = key === undefined ? undefined : objects.workload(key);
  if (workload === undefined) return undefined;
  const { recover, keepServing } = promise.spec;
  const wanted = keepServing?.atLeast ?? recover?.replicas ?? 0;
  const text = workloadText(workload.key);
  if (workload.spec.replicas < wanted) {
    const reason = `${text} asks for ${workload.spec.replicas} replicas and is promised ${wanted}`;
    return { verdict: "breached", reason };
  }
  const serving = [...objects.replicasOf(workload.key).values()].filter(({ status }) =>
    isReadyStage(status.stage),
  ).length;
  if (keepServing === undefined || serving >= wanted) return undefined;
  return {
    verdict: "breached",
    reason: `only ${serving} of ${wanted} replicas of ${text} serve today`,
  };
}

/** Room that is promised twice is protected for neither. */
function promisedToAll(objects: ObjectIndex, promise: StatedPromise): Claim | undefined {
  const tenant = tenantOfPromise(promise);
  const quotas = [...objects.all("Quota").values()];
  const own = quotas.filter(({ meta }) => tenant === undefined || meta.namespace === tenant);
  if (own.length === 0) {
    return { verdict: "breached", reason: `no quota protects tenant ${tenant ?? "of the fleet"}` };
  }
  const nodes = [...objects.all("Node").values()].filter(({ spec }) => spec.supply !== "soft");
  for (const name of AMOUNT_NAMES) {
    const sum = (all: readonly Amounts[]): number =>
      all.reduce((total, each) => total + each[name], 0);
    const promised = sum(quotas.map(({ spec }) => spec.limit));
    const there = sum(nodes.map(({ spec }) => spec.capacity));
    if (promised > there) {
      const unit = UNITS[name];
      const reason = `the quotas of all tenants promise ${promised / unit.per} ${unit.of} and the nodes have ${there / unit.per}`;
      return { verdict: "breached", reason };
    }
  }
  return undefined;
}

const UNITS: Readonly<Record<keyof Amounts, { readonly per: number; readonly of: string }>> = {
  cpuMillis: { per: 1_000, of: "CPUs" },
  memoryMiB: { per: 1_024, of: "GiB of memory" },
  deviceMillis: { per: 1_000, of: "devices" },
};

function boundsToday(objects: ObjectIndex, promise: StatedPromise): Claim | undefined {
  const { invariant } = promise.spec;
  if (invariant === undefined) return undefined;
  const { labels, per, atLeast = 0, atMost = Infinity } = invariant;
  for (const [place, count] of countsByPlace(objects, promise)) {
    if (count > atMost) {
      return { verdict: "breached", reason: `${per} ${place} has ${count} of them today` };
    }
    if (count < atLeast) {
      return { verdict: "breached", reason: `${per} ${place} has only ${count} of them today` };
    }
  }
  const any = [...objects.all("Workload").values()].some(({ meta }) => hasAll(meta.labels, labels));
  return any ? undefined : { verdict: "not-shown", reason: "no workload has these labels" };
}

/** Places without any of them count as none there, where at least one has some. */
export function countsByPlace(
  objects: ObjectIndex,
  promise: StatedPromise,
): ReadonlyMap<string, number> {
  const { labels = {}, per = "node" } = promise.spec.invariant ?? {};
  const counts = new Map<string, number>();
  for (const node of objects.all("Node").values()) {
    const place = domainOf(node, per);
    if (place !== undefined && node.status.health !== "fenced")
      counts.set(place, counts.get(place) ?? 0);
  }
  for (const workload of objects.all("Workload").values()) {
    if (!isAbout(promise, workload.key) || !hasAll(workload.meta.labels, labels)) continue;
    for (const replica of objects.replicasOf(workload.key).values()) {
      const node = objects.nodeNamed(replica.status.node ?? "");
      const place = node === undefined ? undefined : domainOf(node, per);
      if (place !== undefined && workloadOf(replica) === workload.key) {
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
    }
  }
  return counts;
}

export const hasAll = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
