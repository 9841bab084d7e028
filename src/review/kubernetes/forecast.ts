/**
 * The timing profile `kubernetes`: what unmodified Kubernetes controllers do after nodes of a fleet
 * stop, pod by pod. The model is deterministic: a seed stands for the phases of the loops.
 */
import { ChangedWorld } from "../../core/explain/changed-world.ts";
import { type Fleet, indexOf } from "../../fleet/fleet.ts";
import { POD_NOTE, newestMinor } from "../../fleet/kubernetes/recovery-facts.ts";
import { ClusterRoom } from "./cluster-room.ts";
import { controllerTimes } from "./controller-times.ts";
import { LossRun, type NodeEvent } from "./loss-run.ts";
import type { ZoneChange } from "./node-watch.ts";
import { type Phases, phasesOf } from "./phases.ts";
import { type PodLoss, whyNever } from "./pod-loss.ts";

export interface Forecast {
  /** One for each pod on a node that was lost, in the order of the losses. */
  readonly pods: readonly PodForecast[];
  readonly zones: readonly ZoneChange[];
  readonly events: number;
}

/** Times count from the first event of the scenario. */
export interface PodForecast extends Readonly<PodLoss> {
  /** As Kubernetes names it, such as "payments/api-7f9c-x2". */
  readonly pod: string;
  /** Why its place is not taken by another pod within the watch. */
  readonly never?: string;
}

export interface ForecastOptions {
  readonly events: readonly NodeEvent[];
  readonly watchMs: number;
  /** Of a measured run, or drawn from the seed. */
  readonly phases: Phases | { readonly seed: number };
}

/** Copying a fleet costs more than a run on it. */
const worlds = new WeakMap<Fleet, ChangedWorld>();

export function forecast(fleet: Fleet, { events, watchMs, phases }: ForecastOptions): Forecast {
  let world = worlds.get(fleet);
  if (world === undefined) worlds.set(fleet, (world = new ChangedWorld(indexOf(fleet))));
  const times = controllerTimes(newestMinor(world.objects.all("Node").values()));
  const drawn = "seed" in phases ? phasesOf(phases.seed, times) : phases;
  const room = new ClusterRoom(world);
  const run = new LossRun({ room, times, phases: drawn, events });
  try {
    run.run(watchMs);
  } finally {
    room.restore();
  }
  const whyUntainted = (node: string): string => run.watch.whyUntainted(node);
  const pods = run.losses.map((loss): PodForecast => {
    const never = whyNever(loss, whyUntainted);
    const pod = loss.replica.meta.annotations?.[POD_NOTE] ?? loss.replica.key;
    return { ...loss, pod, ...(never === undefined ? {} : { never }) };
  });
  return { pods, zones: run.watch.changes, events: run.events };
}
