/**
 * What the indexes of batches have come to, kept from the changes of an index. A job of a hundred
 * thousand completions is decided on at every change of any of them, so nothing here is ever
 * counted by walking them.
 */
import type { ObjectKey, Uid } from "../model/ids.ts";
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

interface ServiceCounts {
  live: number;
  replicas: number;
}

const NOTHING: JobCounts = { live: new Set(), succeeded: 0, failures: 0, resting: new Map() };

export class JobCounters {
  /**
   * By workload, and within it by uid and generation: namesakes and old templates leave replicas
   * behind.
   */
  private readonly counters = new Map<ObjectKey, Map<string, KeptCounts>>();
  /** Replicas of services by workload and its uid: one that becomes a job leaves them behind. */
  private readonly services = new Map<ObjectKey, Map<Uid, ServiceCounts>>();

  /** What a workload's present template has come to. */
  of({ key, meta, status }: Workload): JobCounts {
    return this.counters.get(key)?.get(`${meta.uid}/${status.templateGeneration}`) ?? NOTHING;
  }

  /** Whether there is nothing under its name but replicas of its present template. */
  isAlone({ key, meta, status }: Workload): boolean {
    if (this.services.has(key)) return false;
    const counters = this.counters.get(key);
    if (counters === undefined) return true;
    return counters.size === 1 && counters.has(`${meta.uid}/${status.templateGeneration}`);
  }

  /** How many incarnations of its earlier templates have not ended. */
  oldIncarnations({ key, meta, status }: Workload): number {
    let incarnations = this.services.get(key)?.get(meta.uid)?.live ?? 0;
    for (const [name, { live }] of this.counters.get(key) ?? []) {
      const isOwn = name.startsWith(`${meta.uid}/`);
      if (isOwn && name !== `${meta.uid}/${status.templateGeneration}`) incarnations += live.size;
    }
    return incarnations;
  }

  /** Replicas of services are counted when they begin and end to live, and cost little between. */
  fold(workload: ObjectKey, was: Replica | undefined, is: Replica | undefined): void {
    this.foldService(workload, was, is);
    const before = was?.spec.type === "batch" ? was : undefined;
    const after = is?.spec.type === "batch" ? is : undefined;
    const isSame =
      before?.status.stage === after?.status.stage &&
      before?.status.failures === after?.status.failures &&
      before?.meta.uid === after?.meta.uid;
    if (isSame) return;
    if (before !== undefined) this.take(workload, before);
    if (after !== undefined) this.add(workload, after);
  }

  private foldService(
    workload: ObjectKey,
    was: Replica | undefined,
    is: Replica | undefined,
  ): void {
    const before = was?.spec.type === "service" ? was : undefined;
    const after = is?.spec.type === "service" ? is : undefined;
    const isSame =
      before?.spec.workloadUid === after?.spec.workloadUid && isLive(before) === isLive(after);
    if (isSame) return;
    if (before !== undefined) this.countService(workload, before, -1);
    if (after !== undefined) this.countService(workload, after, 1);
  }

  private countService(workload: ObjectKey, replica: Replica, sign: 1 | -1): void {
    const { workloadUid } = replica.spec;
    const counts = this.services.get(workload) ?? new Map<Uid, ServiceCounts>();
    const count = counts.get(workloadUid) ?? { live: 0, replicas: 0 };
    count.replicas += sign;
    if (isLive(replica)) count.live += sign;
    if (count.replicas > 0) counts.set(workloadUid, count);
    else counts.delete(workloadUid);
    if (counts.size > 0) this.services.set(workload, counts);
    else this.services.delete(workload);
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

const isLive = (replica: Replica | undefined): boolean =>
  replica !== undefined && !isResting(replica.status.stage);

const noCounts = (): KeptCounts => ({
  live: new Set(),
  succeeded: 0,
  failures: 0,
  resting: new Map(),
  replicas: 0,
});
