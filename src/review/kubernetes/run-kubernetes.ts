/** The forecast of the timing profile `kubernetes` in the form of a twin's run. */
import { createHash } from "node:crypto";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { UserError } from "../../shell/errors.ts";
import type {
  RunTwin,
  TwinAbsence,
  TwinEvent,
  TwinRecovery,
  TwinRun,
  TwinScenario,
  TwinWait,
} from "../../twin/twin-run.ts";
import { forecast, type PodForecast } from "./forecast.ts";
import type { NodeEvent } from "./loss-run.ts";

/** What a forecast does not say, one sentence each. */
export const KUBERNETES_BOUNDARY: readonly string[] = [
  "The times are those of unmodified Kubernetes controllers with default flags; other flags, a descheduler, an autoscaler or a node repair of the cloud change them.",
  "A pod counts as serving when it is bound: pulling images, attaching volumes and starting come on top.",
  "Only free room counts: the model lets the scheduler preempt nothing.",
  "Node objects stay; a cloud controller that deletes them ends the pods on them sooner.",
];

export const runKubernetes: RunTwin = (fleet, scenario, seed) => {
  const events = scenario.events.flatMap(nodeEventOf);
  const { pods, events: count } = forecast(fleet, {
    events,
    watchMs: scenario.watchMs,
    phases: { seed },
  });
  const startMs = slowestStartMs(scenario);
  // A daemon's pod ends with its node, so its workload has nothing to recover.
  const recovering = pods.filter(({ controller }) => !["DaemonSet", "Node"].includes(controller));
  const served = recovering.filter(({ wasUp }) => wasUp);
  const run: Omit<TwinRun, "hash"> = {
    seed,
    events: count,
    recoveries: recoveriesOf(fleet, served, { startMs, watchMs: scenario.watchMs }),
    waits: recovering.flatMap(waitOf),
    drains: [],
    violations: [],
  };
  const hash = createHash("sha256").update(JSON.stringify(run)).digest("hex");
  return { ...run, hash };
};

function nodeEventOf(event: TwinEvent): readonly NodeEvent[] {
  switch (event.do) {
    case "lose":
    case "return":
      return [{ atMs: event.atMs, do: event.do, nodes: event.nodes }];
    case "slow-starts":
      return [];
    default:
      throw new UserError(
        "bad-usage",
        `The timing profile kubernetes does not model "${event.do}": it knows the loss and the return of nodes. ` +
          "Check this promise with the profile berth, or leave the event out.",
      );
  }
}

const slowestStartMs = ({ events }: TwinScenario): number =>
  events.reduce((sum, event) => (event.do === "slow-starts" ? sum + event.byMs : sum), 0);

const waitOf = ({ workload, replacementMs, boundMs }: PodForecast): readonly TwinWait[] => {
  if (replacementMs === undefined) return [];
  return [boundMs === undefined ? { workload } : { workload, ms: boundMs - replacementMs }];
};

interface WatchTerms {
  readonly startMs: number;
  readonly watchMs: number;
}

function recoveriesOf(
  fleet: Fleet,
  pods: readonly PodForecast[],
  terms: WatchTerms,
): readonly TwinRecovery[] {
  const byWorkload = new Map<ObjectKey, PodForecast[]>();
  for (const pod of pods) {
    const others = byWorkload.get(pod.workload);
    if (others === undefined) byWorkload.set(pod.workload, [pod]);
    else others.push(pod);
  }
  const serving = servingOf(fleet);
  return [...byWorkload].map(([workload, lost]) =>
    recoveryOf(workload, lost, { ...terms, before: serving.get(workload) ?? 0 }),
  );
}

/** Replicas that serve, by the name of their workload. */
function servingOf({ objects }: Fleet): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const object of objects) {
    if (object.kind !== "Replica") continue;
    const { stage } = object.status;
    if (stage !== "serving" && stage !== "running") continue;
    const workload = `Workload/${object.meta.namespace}/${object.spec.workload}`;
    counts.set(workload, (counts.get(workload) ?? 0) + 1);
  }
  return counts;
}

function recoveryOf(
  workload: ObjectKey,
  lost: readonly PodForecast[],
  { startMs, watchMs, before }: WatchTerms & { readonly before: number },
): TwinRecovery {
  const moves: { readonly atMs: number; readonly by: 1 | -1 }[] = [];
  for (const pod of lost) {
    moves.push({ atMs: pod.lostMs, by: -1 });
    const upMs = upAgainMs(pod, startMs);
    if (upMs !== undefined && upMs <= watchMs) moves.push({ atMs: upMs, by: 1 });
  }
  let serving = before;
  let least = before;
  let recoveredMs: number | undefined;
  for (const { atMs, by } of moves.toSorted((a, b) => a.atMs - b.atMs)) {
    serving += by;
    least = Math.min(least, serving);
    recoveredMs = serving < before ? undefined : (recoveredMs ?? atMs);
  }
  const absences = lost
    .toSorted((a, b) => (upAgainMs(a, startMs) ?? Infinity) - (upAgainMs(b, startMs) ?? Infinity))
    .map((pod) => absenceOf(pod, { startMs, watchMs }));
  return {
    workload,
    before,
    least,
    ...(recoveredMs === undefined ? {} : { recoveredMs }),
    stages: absences.at(-1)?.stages ?? {},
    absences,
  };
}

function upAgainMs({ boundMs, returnedMs }: PodForecast, startMs: number): number | undefined {
  const atMs = boundMs ?? returnedMs;
  return atMs === undefined ? undefined : atMs + startMs;
}

function absenceOf(pod: PodForecast, { startMs, watchMs }: WatchTerms): TwinAbsence {
  const upMs = upAgainMs(pod, startMs);
  const isBack = upMs !== undefined && upMs <= watchMs;
  const untilMs = isBack ? upMs : watchMs;
  const ends: readonly (readonly [string, number | undefined])[] = [
    ["detect", pod.unknownMs],
    ["taint", pod.taintMs],
    ["tolerate", pod.evictedMs],
    ["replace", pod.replacementMs],
    ["place", pod.boundMs],
    ["start", undefined],
  ];
  const stages: Record<string, number> = {};
  let fromMs = pod.lostMs;
  for (const [stage, endMs = untilMs] of ends) {
    stages[stage] = Math.min(endMs, untilMs) - fromMs;
    // What it is in when it is back, or when the watch ends, lasts until then.
    if (endMs >= untilMs) {
      return { lostMs: pod.lostMs, stages, ...(isBack ? { backMs: upMs } : { open: stage }) };
    }
    fromMs = endMs;
  }
  return { lostMs: pod.lostMs, stages };
}
