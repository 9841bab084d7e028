/**
 * The last samples of workloads that are scaled, in memory and nowhere else: what was measured is no truth, and is
 * worth nothing half a minute later. A reading makes one number of them for the log.
 */
import { type LoadReading, scaledWorkload, type ScaleTarget } from "../../core/model/autoscaler.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Autoscaler } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { isAvailable, isWanted } from "../../core/observe/disruption.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

/** Three samples of an agent that takes one every ten seconds. */
export const SAMPLE_LASTS_MS = 30_000;

/** Of replicas and workloads, at about a hundred bytes each: some ten megabytes. The oldest goes first. */
const SAMPLES_MOST = 100_000;

export interface Sample {
  /** A replica, or a workload as a whole. */
  readonly of: ObjectKey;
  readonly metric: string;
  readonly valueMillis: number;
}

interface Held {
  readonly valueMillis: number;
  readonly atMs: number;
}

/** Under which name a target is measured. */
export const metricOf = ({ kind, name }: ScaleTarget): string => name ?? kind;

export class SampleBoard {
  private readonly samples = new Map<string, Held>();
  private readonly most: number;

  constructor(most: number = SAMPLES_MOST) {
    this.most = most;
  }

  /** How many of them somebody scales by; the others are not kept. */
  take(objects: ObjectIndex, samples: readonly Sample[], atMs: number): number {
    const wanted = new Set<string>();
    for (const autoscaler of objects.all("Autoscaler").values()) {
      wanted.add(nameOf(scaledWorkload(autoscaler), metricOf(autoscaler.spec.target)));
    }
    if (wanted.size === 0) return 0;
    let taken = 0;
    for (const { of, metric, valueMillis } of samples) {
      const held = objects.get(of);
      const workload = held?.kind === "Replica" ? workloadOf(held) : of;
      if (held === undefined || !wanted.has(nameOf(workload, metric))) continue;
      this.hold(nameOf(of, metric), { valueMillis, atMs });
      taken += 1;
    }
    return taken;
  }

  private hold(name: string, held: Held): void {
    // Taken out and put back, so that the first is always the oldest.
    this.samples.delete(name);
    this.samples.set(name, held);
    const [oldest] = this.samples.keys();
    if (this.samples.size > this.most && oldest !== undefined) this.samples.delete(oldest);
  }

  /** What can be said of the workload now. A sample of the whole of it stands for all that serve. */
  read(objects: ObjectIndex, autoscaler: Autoscaler, nowMs: number): LoadReading {
    const metric = metricOf(autoscaler.spec.target);
    const key = scaledWorkload(autoscaler);
    const workload = objects.workload(key);
    const serving: ObjectKey[] = [];
    for (const replica of objects.replicasOf(key).values()) {
      if (isWanted(replica, workload) && isAvailable(replica)) serving.push(replica.key);
    }
    const whole = this.lately(nameOf(key, metric), nowMs);
    if (whole !== undefined) {
      const of = Math.max(1, serving.length);
      return { sumMillis: whole, covered: of, of, windowMs: SAMPLE_LASTS_MS };
    }
    const each = serving.flatMap((replica) => this.lately(nameOf(replica, metric), nowMs) ?? []);
    const sumMillis = each.reduce((sum, value) => sum + value, 0);
    return {
      sumMillis,
      covered: each.length,
      of: serving.length,
      windowMs: SAMPLE_LASTS_MS,
    };
  }

  private lately(name: string, nowMs: number): number | undefined {
    const held = this.samples.get(name);
    return held === undefined || nowMs - held.atMs > SAMPLE_LASTS_MS ? undefined : held.valueMillis;
  }
}

const nameOf = (of: ObjectKey, metric: string): string => `${of} ${metric}`;
