/** Which objects carry a promise: without any of them it holds by chance, if at all. */
import type { PromiseKind } from "../../core/model/commitment.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import { parseKey } from "../../core/model/ids.ts";
import type { PolicyRevision, Workload } from "../../core/model/objects.ts";
import { classOf } from "../../core/model/preemption.ts";
import { countText } from "../../core/model/text/count-text.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import {
  isAbout,
  kindOf,
  type StatedPromise,
  tenantOfPromise,
  workloadOfPromise,
} from "../promise.ts";
import type { Mechanism } from "../review.ts";

type Carrier = (objects: ObjectIndex, promise: StatedPromise) => readonly Mechanism[];

const CARRIERS: Readonly<Record<PromiseKind, readonly Carrier[]>> = {
  recover: [classes, reserves, budgets, grants, quotas],
  keepServing: [spreads, disruptions],
  wait: [classes, quotas],
  isolation: [quotas, bands],
  fairness: [quotas],
  headroom: [reserves, pools],
  drains: [disruptions],
  overrideEnds: [overrides],
  noStorm: [retries],
  invariant: [spreads, neighbours],
};

export const mechanismsOf = (objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] =>
  CARRIERS[kindOf(promise)].flatMap((carrier) => carrier(objects, promise));

/** More of them would hide the rest; which ones is the business of the fleet's own tables. */
const SHOWN = 5;

function about(objects: ObjectIndex, promise: StatedPromise): readonly Workload[] {
  const workload = workloadOfPromise(promise);
  if (workload !== undefined) return [objects.workload(workload) ?? []].flat();
  return [...objects.all("Workload").values()].filter(({ key }) => isAbout(promise, key));
}

const named = (key: ObjectKey): string => `workload/${workloadText(key)}`;

function classes(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  const all = objects.all("PriorityClass");
  const names = new Set(about(objects, promise).map(({ spec }) => spec.template.priorityClass));
  const asked = promise.spec.wait?.priorityClass;
  return [...names]
    .filter((name) => name !== "" && (asked === undefined || asked === name))
    .slice(0, SHOWN)
    .map((name) => {
      const { value, preempts } = classOf(all, name);
      const below = [...all.values()].filter(({ spec }) => spec.value < value).length;
      const takes = preempts === "never" ? "and preempts none" : "and may preempt it";
      const before =
        below === 0
          ? "work without a class"
          : `work of ${countText(below, "lower class").replace("classs", "classes")}`;
      const role = `goes before ${before} ${takes}`;
      return { object: `priorityclass/${name}`, role };
    });
}

function reserves(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  return about(objects, promise).flatMap(({ key, spec }) => {
    if (spec.recovery === undefined) return [];
    const { replicas, regions, withinMs } = spec.recovery;
    const room = `keeps room for ${countText(replicas, "replica")} in ${regions.join(" or ")}`;
    const role = `${room}, to serve again within ${formatDuration(withinMs)}`;
    return [{ object: `${named(key)} spec.recovery`, role }];
  });
}

function budgets(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  const tenant = workloadTenant(promise);
  return [...objects.all("RecoveryBudget").values()]
    .filter(({ spec }) => spec.tenants?.includes(tenant) ?? true)
    .map(({ meta, spec }) => ({
      object: `recoverybudget/${meta.name}`,
      role: `lets recoveries in ${spec.region} use room beyond quota`,
    }));
}

function grants(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  const tenant = workloadTenant(promise);
  return activeRevisions(objects).flatMap(({ meta, spec }) =>
    (spec.recovery?.grants ?? [])
      .filter(({ tenants }) => tenants?.includes(tenant) ?? true)
      .map(({ region }) => ({
        object: `policyrevision/${meta.name}`,
        role: `grants a recovery budget in ${region} when a recovery begins`,
      })),
  );
}

const workloadTenant = (promise: StatedPromise): string => {
  const workload = workloadOfPromise(promise);
  return workload === undefined ? promise.namespace : parseKey(workload).namespace;
};

function activeRevisions(objects: ObjectIndex): readonly PolicyRevision[] {
  const active = new Set([...objects.all("Policy").values()].map(({ spec }) => spec.active));
  return [...objects.all("PolicyRevision").values()].filter(({ meta }) => active.has(meta.name));
}

function quotas(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  const tenant =
    workloadOfPromise(promise) === undefined ? tenantOfPromise(promise) : workloadTenant(promise);
  return [...objects.all("Quota").values()]
    .filter(({ meta }) => tenant === undefined || meta.namespace === tenant)
    .slice(0, SHOWN)
    .map(({ meta, spec }) => ({
      object: `quota/${meta.namespace}`,
      role: `entitles the tenant to ${spec.limit.cpuMillis / 1_000} CPUs and ${spec.limit.memoryMiB / 1_024} GiB${spec.group === undefined ? "" : `, and lends in group ${spec.group}`}`,
    }));
}

function bands(objects: ObjectIndex): readonly Mechanism[] {
  return [...objects.all("PriorityClass").values()]
    .filter(({ spec }) => spec.preemptible === false || spec.band !== undefined)
    .slice(0, SHOWN)
    .map(({ meta, spec }) => ({
      object: `priorityclass/${meta.name}`,
      role:
        spec.preemptible === false
          ? "is never preempted"
          : `is not preempted in band ${spec.band ?? ""}`,
    }));
}

function spreads(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  return about(objects, promise)
    .flatMap(({ key, spec }) =>
      spec.template.spread
        .filter(({ soft }) => soft !== true)
        .map(({ by, maxSkew }) => ({
          object: `${named(key)} spec.placement.spread`,
          role: `keeps the numbers by ${by} within ${maxSkew} of each other`,
        })),
    )
    .slice(0, SHOWN);
}

function neighbours(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  return about(objects, promise)
    .flatMap(({ key, spec }) => [
      ...(spec.template.maxPerNode === undefined
        ? []
        : [
            {
              object: `${named(key)} spec.placement.maxPerNode`,
              role: `allows ${spec.template.maxPerNode} on a node`,
            },
          ]),
      ...(spec.template.affinity?.antiRequired ?? []).map(({ by }) => ({
        object: `${named(key)} spec.placement.antiAffinity`,
        role: `keeps its replicas apart by ${by}`,
      })),
    ])
    .slice(0, SHOWN);
}

function disruptions(objects: ObjectIndex, promise: StatedPromise): readonly Mechanism[] {
  return about(objects, promise)
    .flatMap(({ key, spec: { disruption } }) =>
      disruption === undefined
        ? []
        : [
            {
              object: `${named(key)} spec.disruption`,
              role: `allows drains and preemption to take ${disruption.maxUnavailable} at a time`,
            },
          ],
    )
    .slice(0, SHOWN);
}

function pools(objects: ObjectIndex): readonly Mechanism[] {
  return [...objects.all("NodePool").values()].slice(0, SHOWN).map(({ meta, spec }) => ({
    object: `nodepool/${meta.name}`,
    role: `may add nodes in ${spec.zone}, up to ${spec.maxNodes}: soft capacity`,
  }));
}

/** Every override has an end by its kind; the controller that ends it is part of each plane. */
function overrides(): readonly Mechanism[] {
  return [{ object: "controller/expire-override", role: "ends every override at its time (OV3)" }];
}

function retries(objects: ObjectIndex): readonly Mechanism[] {
  const own = activeRevisions(objects).flatMap(({ meta, spec }) =>
    spec.retries === undefined && spec.autoscaling === undefined
      ? []
      : [{ object: `policyrevision/${meta.name}`, role: "bounds retries and scaling steps" }],
  );
  return [...own, { object: "controller/runner", role: "backs off and has a retry budget (RN)" }];
}
