/**
 * The last hour of the fleet in a few numbers, for charts: in memory, in a ring of fixed size, from
 * the start of this process. Nothing depends on it, and no log has it.
 */
import type { HostClock } from "../host-clock.ts";
import type { PlanePort } from "../plane-port.ts";
import { Distribution, WAITS_MS } from "./distribution.ts";
import type { ReplicaMeasures } from "./replica-measures.ts";

/** A point for every three pixels of a small chart; a look walks over the nodes. */
export const SAMPLE_EVERY_MS = 15_000;
/** An hour. */
const SAMPLES_KEPT = 240;

export interface FleetSample {
  readonly atMs: number;
  /** Thousandths of a CPU. */
  readonly cpu: UseSample;
  /** MiB. */
  readonly memory: UseSample;
  /** Replicas that have quota and wait for a node. */
  readonly queued: number;
  /** Since the sample before this one. */
  readonly binds: number;
  /** Milliseconds from a replica's admission to its bind; undefined without a bind. */
  readonly bindP50Ms: number | undefined;
  readonly bindP95Ms: number | undefined;
}

export interface UseSample {
  /** Requests of the replicas on nodes. */
  readonly used: number;
  /** Held free: for replicas that preempt, and for recoveries. */
  readonly reserved: number;
  /** Capacity of the nodes that are ready. */
  readonly allocatable: number;
}

export class FleetSeries {
  readonly sinceMs: number;
  private readonly plane: Pick<PlanePort, "objects">;
  private readonly clock: HostClock;
  private readonly replicas: Pick<ReplicaMeasures, "classes">;
  private readonly ring: FleetSample[] = [];
  private readonly timer: NodeJS.Timeout;
  /** What was bound before the last sample, by bucket. */
  private counted = new Distribution(WAITS_MS);

  constructor(of: {
    readonly plane: Pick<PlanePort, "objects">;
    readonly clock: HostClock;
    readonly replicas: Pick<ReplicaMeasures, "classes">;
  }) {
    this.plane = of.plane;
    this.clock = of.clock;
    this.replicas = of.replicas;
    this.sinceMs = of.clock.nowMs();
    this.sample();
    this.timer = setInterval(() => this.sample(), SAMPLE_EVERY_MS);
    this.timer.unref();
  }

  /** Oldest first. */
  get samples(): readonly FleetSample[] {
    return this.ring;
  }

  close(): void {
    clearInterval(this.timer);
  }

  sample(): void {
    const binds = this.bindsSince();
    this.ring.push({
      atMs: this.clock.nowMs(),
      ...this.use(),
      queued: [...this.replicas.classes.values()].reduce((sum, { length }) => sum + length, 0),
      binds: binds.count,
      bindP50Ms: quantile(binds, 0.5),
      bindP95Ms: quantile(binds, 0.95),
    });
    if (this.ring.length > SAMPLES_KEPT) this.ring.shift();
  }

  private use(): Pick<FleetSample, "cpu" | "memory"> {
    const { objects } = this.plane;
    const cpu = { used: 0, reserved: 0, allocatable: 0 };
    const memory = { used: 0, reserved: 0, allocatable: 0 };
    for (const { meta, spec, status } of objects.all("Node").values()) {
      if (spec.supply === "soft") continue;
      const { cpuMillis, memoryMiB, held } = objects.useOf(meta.name);
      cpu.used += cpuMillis;
      memory.used += memoryMiB;
      for (const { spec: room } of held.values()) {
        cpu.reserved += room.amounts.cpuMillis;
        memory.reserved += room.amounts.memoryMiB;
      }
      if (status.health !== "ready") continue;
      cpu.allocatable += spec.capacity.cpuMillis;
      memory.allocatable += spec.capacity.memoryMiB;
    }
    return { cpu, memory };
  }

  /** Of all classes, without what earlier samples had. */
  private bindsSince(): Distribution {
    const all = new Distribution(WAITS_MS);
    for (const { bindMs } of this.replicas.classes.values()) {
      all.count += bindMs.count;
      bindMs.counts.forEach((count, at) => (all.counts[at] = (all.counts[at] ?? 0) + count));
    }
    const fresh = new Distribution(WAITS_MS);
    fresh.count = all.count - this.counted.count;
    all.counts.forEach((count, at) => (fresh.counts[at] = count - (this.counted.counts[at] ?? 0)));
    this.counted = all;
    return fresh;
  }
}

/** Within its bucket values are taken as evenly spread, as Prometheus takes them. */
export function quantile(
  { bounds, counts, count }: Distribution,
  part: number,
): number | undefined {
  if (count === 0) return undefined;
  const wanted = part * count;
  let below = 0;
  for (const [at, bound] of bounds.entries()) {
    const here = counts[at] ?? 0;
    const from = bounds[at - 1] ?? 0;
    if (below + here >= wanted) return from + ((wanted - below) / here) * (bound - from);
    below += here;
  }
  return bounds.at(-1);
}
