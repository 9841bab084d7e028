/**
 * What the indexes of batches have come to, kept from the changes of an index. A job of a hundred
 * thousand completions is decided on at every change of any of them, so nothing here is ever
 * counted by walking them.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { isResting } from "../model/stage.ts";

export interface JobCounts {
  /** Indexes that have an incarnation which has not ended. */
  readonly live: ReadonlySet<number>;
  readonly succeeded: number;
  /** Of all indexes together, whatever became of them. */
  readonly failures: number;
  /** Indexes whose last incarnation ended without success, by how often they have failed. */
  readonly resting: ReadonlyMap<number, ReadonlySet<number>>;
}

interface KeptCounts extends JobCounts {
  live: Set<number>;
  succeeded: number;
  failures: number;
  resting: Map<number, Set<number>>;
  /** Goes with its last replica. */
  replicas: number;
}

const NOTHING: JobCounts = { live: new Set(), succeeded: 0, failures: 0, resting: new Map() };

export class JobCounters {
  /**
   * By workload, and within it by uid and generation: namesakes and old templates leave replicas
   * behind.
   */
  private readonly counters = new Map<ObjectKey, Map<string, KeptCounts>>();

  /** What a workload's present template has come to. */
  of({ key, meta, status }: Workload): JobCounts {
    return this.counters.get(key)?.get(`${meta.uid}/${status.templateGeneration}`) ?? NOTHING;
  }

  /** Whether there is nothing under its name but replicas of its present template. */
  isAlone({ key, meta, status }: Workload): boolean {
    const counters = this.counters.get(key);
    if (counters === undefined) return true;
    return counters.size === 1 && counters.has(`${meta.uid}/${status.templateGeneration}`);
  }

  /** How many incarnations of its earlier templates have not ended. */
  oldIncarnations({ key, meta, status }: Workload): number {
    let incarnations = 0;
    for (const [name, { live }] of this.counters.get(key) ?? []) {
      const isOwn = name.startsWith(`${meta.uid}/`);
      if (isOwn && name !== `${meta.uid}/${status.templateGeneration}`) incarnations += live.size;
    }
    return incarnations;
  }

  /** Replicas of services cost nothing but the question. */
  fold(workload: ObjectKey, was: Replica | undefined, is: Replica | undefined): void {
    if ((is ?? was)?.spec.type !== "batch") return;
    const isSame =
      was?.status.stage === is?.status.stage &&
      was?.status.failures === is?.status.failures &&
      was?.meta.uid === is?.meta.uid;
    if (isSame) return;
    if (was !== undefined) this.take(workload, was);
    if (is !== undefined) this.add(workload, is);
  }

  private add(workload: ObjectKey, { spec, status }: Replica): void {
    const counters = this.counters.get(workload) ?? new Map<string, KeptCounts>();
    const name = `${spec.workloadUid}/${spec.generation}`;
    const counts = counters.get(name) ?? noCounts();
    counters.set(name, counts);
    this.counters.set(workload, counters);
    counts.replicas += 1;
    counts.failures += status.failures;
    if (status.stage === "succeeded") counts.succeeded += 1;
    else if (!isResting(status.stage)) counts.live.add(spec.index);
    else {
      const indexes = counts.resting.get(status.failures) ?? new Set();
      counts.resting.set(status.failures, indexes.add(spec.index));
    }
  }

  private take(workload: ObjectKey, { spec, status }: Replica): void {
    const counters = this.counters.get(workload);
    const name = `${spec.workloadUid}/${spec.generation}`;
    const counts = counters?.get(name);
    if (counters === undefined || counts === undefined) return;
    counts.replicas -= 1;
    counts.failures -= status.failures;
    if (status.stage === "succeeded") counts.succeeded -= 1;
    else if (!isResting(status.stage)) counts.live.delete(spec.index);
    else {
      const indexes = counts.resting.get(status.failures);
      indexes?.delete(spec.index);
      if (indexes?.size === 0) counts.resting.delete(status.failures);
    }
    if (counts.replicas > 0) return;
    counters.delete(name);
    if (counters.size === 0) this.counters.delete(workload);
  }
}

const noCounts = (): KeptCounts => ({
  live: new Set(),
  succeeded: 0,
  failures: 0,
  resting: new Map(),
  replicas: 0,
});
