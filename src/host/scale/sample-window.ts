/**
 * The last samples of workloads that are scaled, in memory and nowhere else: a sample is not
 * committed state, and is worth nothing half a minute later. A reading makes one number of them for
 * the log.
 */
import {
  type LoadReading,
  MISSING_MOST_CHARACTERS,
  scaledWorkload,
  type ScaleTarget,
} from "../../core/model/autoscaler.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Autoscaler, Replica } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { isAvailable, isWanted } from "../../core/model/availability.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

/** Three samples of an agent that takes one every ten seconds. */
export const SAMPLE_LASTS_MS = 30_000;

/**
 * Of replicas and workloads, at about a hundred bytes each: some ten megabytes. The oldest goes
 * first.
 */
const SAMPLES_MOST = 100_000;

export type Sample = {
  /** A replica, or a workload as a whole. */
  readonly of: ObjectKey;
  readonly metric: string;
} & (
  | { readonly valueMillis: number }
  /** Why it was not measured. It takes back nothing that was. */
  | { readonly missing: string }
);

interface Held<T> {
  readonly said: T;
  readonly atMs: number;
}

/** Under which name a target is measured. */
export const metricOf = ({ kind, name }: ScaleTarget): string => name ?? kind;

export class SampleWindow {
  private readonly samples = new Map<string, Held<number>>();
  private readonly misses = new Map<string, Held<string>>();
  private readonly most: number;

  constructor(most: number = SAMPLES_MOST) {
    this.most = most;
  }

  /** How many of them somebody scales by; the others are not kept. */
  take(
    objects: ObjectIndex,
    samples: readonly Sample[],
    atMs: number,
    onTaken: (sample: Sample) => void = () => {},
  ): number {
    const wanted = new Set<string>();
    for (const autoscaler of objects.all("Autoscaler").values()) {
      wanted.add(nameOf(scaledWorkload(autoscaler), metricOf(autoscaler.spec.target)));
    }
    if (wanted.size === 0) return 0;
    let taken = 0;
    for (const sample of samples) {
      const { of, metric } = sample;
      const held = objects.get(of);
      const workload = held?.kind === "Replica" ? workloadOf(held) : of;
      if (held === undefined || !wanted.has(nameOf(workload, metric))) continue;
      const name = nameOf(of, metric);
      if ("missing" in sample) this.hold(this.misses, name, { said: sample.missing, atMs });
      else this.hold(this.samples, name, { said: sample.valueMillis, atMs });
      taken += 1;
      onTaken(sample);
    }
    return taken;
  }

  private hold<T>(all: Map<string, Held<T>>, name: string, held: Held<T>): void {
    // Taken out and put back, so that the first is always the oldest.
    all.delete(name);
    all.set(name, held);
    const [oldest] = all.keys();
    if (all.size > this.most && oldest !== undefined) all.delete(oldest);
  }

  /**
   * What can be said of the workload now. A sample of the whole of it stands for all that serve.
   */
  read(objects: ObjectIndex, autoscaler: Autoscaler, nowMs: number): LoadReading {
    const metric = metricOf(autoscaler.spec.target);
    const key = scaledWorkload(autoscaler);
    const workload = objects.workload(key);
    const serving: Replica[] = [];
    for (const replica of objects.replicasOf(key).values()) {
      if (isWanted(replica, workload) && isAvailable(replica)) serving.push(replica);
    }
    const whole = lately(this.samples.get(nameOf(key, metric)), nowMs);
    if (whole !== undefined) {
      const of = Math.max(1, serving.length);
      return { sumMillis: whole, covered: of, of, windowMs: SAMPLE_LASTS_MS };
    }
    let sumMillis = 0;
    const unmeasured: Replica[] = [];
    for (const replica of serving) {
      const value = lately(this.samples.get(nameOf(replica.key, metric)), nowMs);
      if (value === undefined) unmeasured.push(replica);
      else sumMillis += value;
    }
    return {
      sumMillis,
      covered: serving.length - unmeasured.length,
      of: serving.length,
      windowMs: SAMPLE_LASTS_MS,
      ...this.missingOf(unmeasured, metric, nowMs),
    };
  }

  /** One stands for all: what keeps them from being measured is mostly the same. */
  private missingOf(
    unmeasured: readonly Replica[],
    metric: string,
    nowMs: number,
  ): Pick<LoadReading, "missing"> {
    for (const { key, meta } of unmeasured.toSorted((a, b) => a.spec.index - b.spec.index)) {
      const why = lately(this.misses.get(nameOf(key, metric)), nowMs);
      if (why === undefined) continue;
      return { missing: `${meta.name}: ${why}`.slice(0, MISSING_MOST_CHARACTERS) };
    }
    return {};
  }
}

function lately<T>(held: Held<T> | undefined, nowMs: number): T | undefined {
  return held === undefined || nowMs - held.atMs > SAMPLE_LASTS_MS ? undefined : held.said;
}

const nameOf = (of: ObjectKey, metric: string): string => `${of} ${metric}`;
