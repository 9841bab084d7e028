/** What the twin is put through for one failure of one promise. */
import type { Disturbance } from "../../core/model/commitment.ts";
import type { AnyObject, Override, Policy } from "../../core/model/objects.ts";
import type { ObjectKey, Uid } from "../../core/model/ids.ts";
import { overrideKey } from "../../core/model/override.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { MEANT_FAULTS, type TwinEvent, type TwinScenario } from "../../twin/twin-run.ts";
import { kindOf, promisedMsOf, type StatedPromise, tenantOfPromise } from "../promise.ts";
import { casesOf, type Failure } from "./failures.ts";

/** Longer than the detection of a loss, so that what happens then meets the recovery under way. */
const DURING_MS = 20_000;
/** A cold image of some hundred megabytes. */
const SLOWER_MS = 30_000;
/** Watched beyond the deadline, so that a promise that is missed by little is told from a hang. */
const BEYOND_MS = 60_000;
/** For promises without a deadline: fencing takes seconds, and restarts back off for minutes. */
const WATCH_MS = 180_000;
/** A drain of all nodes of a place is watched this long at most. */
const DRAINS_MOST_MS = 3_600_000;
const OVERRIDE_MS = 60_000;
/** Of services with an autoscaler: half as much again, so that it asks for more replicas. */
const RISEN_PERCENT = 150;

export interface ScenarioOf {
  readonly scenario: TwinScenario;
  /** What the promise asks for and this fleet cannot show, one sentence each. */
  readonly lacks: readonly string[];
}

export function scenarioOf(
  objects: ObjectIndex,
  promise: StatedPromise,
  failure: Failure | undefined,
): ScenarioOf {
  const also: ReadonlySet<Disturbance> = new Set(
    casesOf(objects, promise).flatMap((one) => one.also ?? []),
  );
  const lacks: string[] = [];
  const events: TwinEvent[] = [...eventsOf(failure, deadlineOf(promise))];
  for (const each of also) {
    const event = disturb(each, objects, promise);
    if (typeof event === "string") lacks.push(event);
    else if (event !== undefined) events.push(event);
  }
  if (kindOf(promise) === "isolation") events.push(...surge(objects, promise));
  const meant = MEANT_FAULTS.filter((each) => also.has(each));
  const watchMs = watchOf(promise, failure);
  const inOrder = events.toSorted((a, b) => a.atMs - b.atMs);
  // An autoscaler that has nothing to ask for meets no quota, old or not.
  const isAsked = meant.includes("stale-quota") && objects.all("Autoscaler").size > 0;
  const load = isAsked ? { loadPercent: RISEN_PERCENT } : {};
  const faults = { hasFaults: meant.length > 0, ...(meant.length === 0 ? {} : { meant }) };
  return { scenario: { events: inOrder, watchMs, ...load, ...faults }, lacks };
}

function eventsOf(failure: Failure | undefined, deadlineMs: number): readonly TwinEvent[] {
  if (failure === undefined) return [];
  const { does, nodes } = failure;
  return does === "lose"
    ? [{ atMs: 0, do: "lose", nodes }]
    : [{ atMs: 0, do: "drain", nodes, deadlineMs }];
}

export const deadlineOf = (promise: StatedPromise): number => promisedMsOf(promise) ?? WATCH_MS;

function watchOf(promise: StatedPromise, failure: Failure | undefined): number {
  const deadlineMs = deadlineOf(promise);
  if (failure?.does === "drain") {
    return Math.min(DRAINS_MOST_MS, deadlineMs * failure.nodes.length + BEYOND_MS);
  }
  return deadlineMs + BEYOND_MS + (kindOf(promise) === "overrideEnds" ? OVERRIDE_MS : 0);
}

/** Undefined: the faults of the twin have it. A text: why it cannot be done to this fleet. */
function disturb(
  disturbance: Disturbance,
  objects: ObjectIndex,
  promise: StatedPromise,
): TwinEvent | string | undefined {
  switch (disturbance) {
    case "leader-change":
      return { atMs: DURING_MS, do: "restart-leader" };
    case "two-schedulers":
      return { atMs: 0, do: "second-scheduler" };
    case "slow-starts":
      return { atMs: 0, do: "slow-starts", byMs: SLOWER_MS };
    case "policy-rollback": {
      const rolled = rolledBack(objects);
      return rolled === undefined
        ? "the fleet has no earlier policy revision to roll back to"
        : { atMs: DURING_MS, do: "put", objects: [rolled] };
    }
    case "override": {
      const over = overrideOf(objects, promise);
      return over === undefined
        ? "the fleet has no second zone that an override could avoid"
        : { atMs: DURING_MS, do: "put", objects: [over] };
    }
    default:
      return undefined;
  }
}

/** The default policy, pointing at the revision made before the one in force. */
function rolledBack(objects: ObjectIndex): AnyObject | undefined {
  const policy = [...objects.all("Policy").values()].find(({ spec }) => spec.active !== undefined);
  const active = policy?.spec.active;
  if (policy === undefined || active === undefined) return undefined;
  const revisions = [...objects.all("PolicyRevision").values()].toSorted(
    (a, b) => a.status.madeAt - b.status.madeAt || (a.key < b.key ? -1 : 1),
  );
  const at = revisions.findIndex(({ meta }) => meta.name === active);
  const earlier = revisions[at - 1] ?? revisions.find(({ meta }) => meta.name !== active);
  if (earlier === undefined) return undefined;
  const moved: Policy = { ...policy, spec: { ...policy.spec, active: earlier.meta.name } };
  return moved;
}

/** An operator avoids the zone with the most free nodes for a minute. */
function overrideOf(objects: ObjectIndex, promise: StatedPromise): Override | undefined {
  const zones = new Map<string, { region: string; zone: string; nodes: number }>();
  for (const { spec } of objects.all("Node").values()) {
    const { region, zone } = spec;
    const held = zones.get(`${region}/${zone}`) ?? { region, zone, nodes: 0 };
    held.nodes += 1;
    zones.set(`${region}/${zone}`, held);
  }
  const { lose, which } = promise.spec.when ?? {};
  const left = [...zones.values()].filter(
    ({ region, zone }) =>
      !(lose === "zone" && zone === which) && !(lose === "region" && region === which),
  );
  const [largest] = left.toSorted((a, b) => b.nodes - a.nodes || (a.zone < b.zone ? -1 : 1));
  if (largest === undefined || left.length < 2) return undefined;
  const key: ObjectKey = overrideKey("review-avoids-a-zone");
  return {
    kind: "Override",
    key,
    meta: {
      namespace: "",
      name: "review-avoids-a-zone",
      uid: "review" as Uid,
      generation: 1,
      revision: 0,
      createdMs: 0,
      labels: {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      action: "avoid-zone",
      target: { region: largest.region, zone: largest.zone },
      reason: "a review of what an override does",
      ttlMs: OVERRIDE_MS,
    },
    status: { owner: "review", sinceMs: 0, untilMs: OVERRIDE_MS, extensions: 0 },
  };
}

/** Every other tenant asks for four times its replicas: more than quota and room allow. */
const SURGE = 4;

function surge(objects: ObjectIndex, promise: StatedPromise): readonly TwinEvent[] {
  const tenant = tenantOfPromise(promise);
  const others = [...objects.all("Workload").values()].filter(
    ({ meta }) => tenant === undefined || meta.namespace !== tenant,
  );
  const grown = others.map((workload) => ({
    ...workload,
    spec: { ...workload.spec, replicas: workload.spec.replicas * SURGE + 1 },
  }));
  return grown.length === 0 ? [] : [{ atMs: 0, do: "put", objects: grown }];
}
