/**
 * Which indexes of a job are worth a look: those that wait for quota, those that may be tried
 * again, and as many that never lived as may begin. All others are left alone, so a look costs what
 * may live at once and not what there is.
 */
import { backoffLimitOf, endOf, type Job, parallelismOf, retriesOf } from "../../model/batch.ts";
import { type ObjectKey, replicaKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import type { JobCounts } from "../../observe/job-counters.ts";
import { givenUp } from "../../observe/job-verdict.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

/**
 * While so many wait for another try, nothing new is begun: a job that fails that widely does not
 * need more failures, and each of them is looked at whenever the job changes.
 */
const RETRIES_AT_ONCE = 1_024;

export interface JobSurvey {
  /** What still runs of a job that is over. */
  readonly over: readonly Replica[];
  /** In order. */
  readonly indexes: readonly number[];
  /** The replicas of those indexes; an index without one is left empty. */
  readonly replicas: readonly (Replica | undefined)[];
  /** How many incarnations may be given. */
  readonly incarnations: number;
  /** How many indexes wait only for others of the job to end. */
  readonly waiting: number;
}

interface Cursor {
  /** The template it was found for. */
  readonly of: string;
  /** Every index before it has had an incarnation. */
  index: number;
}

export class JobIndexes {
  private readonly cursors = new Map<ObjectKey, Cursor>();

  forget(key: ObjectKey): void {
    this.cursors.delete(key);
  }

  survey(job: Job, objects: ObjectIndex): JobSurvey {
    const counts = objects.jobs.of(job);
    const { batch } = job.spec;
    const live = replicasAt(job, [...counts.live], objects);
    if (endOf(job) !== undefined) return { ...NONE, over: live };
    const incarnations = incarnationsLeft(job, counts, objects);
    const admitted = live.filter(({ status }) => status.stage === "admitted");
    const again = incarnations === 0 ? [] : replicasAt(job, triedAgain(job, counts), objects);
    const fresh = again.length > RETRIES_AT_ONCE ? [] : this.unborn(job, incarnations, objects);
    const replicas: (Replica | undefined)[] = [];
    for (const replica of [...admitted, ...again]) replicas[replica.spec.index] = replica;
    const indexes = [...admitted, ...again].map(({ spec }) => spec.index);
    const open = batch.completions - counts.succeeded - counts.live.size - givenUp(batch, counts);
    return {
      over: [],
      indexes: [...indexes, ...fresh].toSorted((a, b) => a - b),
      replicas,
      incarnations,
      waiting: incarnations === 0 && counts.failures <= backoffLimitOf(batch) ? open : 0,
    };
  }

  /**
   * The first indexes that have had no incarnation, at most `most` of them. Indexes are begun in
   * order, so few are passed.
   */
  private unborn(job: Job, most: number, objects: ObjectIndex): readonly number[] {
    const { key, meta, spec, status } = job;
    const of = `${meta.uid}/${status.templateGeneration}`;
    const known = this.cursors.get(key);
    const cursor = known?.of === of ? known : { of, index: 0 };
    this.cursors.set(key, cursor);
    const { completions } = spec.batch;
    while (cursor.index < completions && isOwn(job, replicaAt(job, cursor.index, objects))) {
      cursor.index += 1;
    }
    const indexes: number[] = [];
    for (let index = cursor.index; index < completions && indexes.length < most; index += 1) {
      // What a namesake left there has to go first.
      if (replicaAt(job, index, objects) === undefined) indexes.push(index);
    }
    return indexes;
  }
}

const NONE: JobSurvey = { over: [], indexes: [], replicas: [], incarnations: 0, waiting: 0 };

function incarnationsLeft(job: Job, counts: JobCounts, { jobs }: ObjectIndex): number {
  const { batch } = job.spec;
  if (counts.failures > backoffLimitOf(batch) || jobs.oldIncarnations(job) > 0) return 0;
  return Math.max(0, parallelismOf(batch) - counts.live.size);
}

function triedAgain({ spec }: Job, { resting }: JobCounts): readonly number[] {
  const retries = retriesOf(spec.batch);
  return [...resting].flatMap(([failures, indexes]) => (failures > retries ? [] : [...indexes]));
}

/** Sorted: the order of arrival must not decide. */
const replicasAt = (
  job: Job,
  indexes: readonly number[],
  objects: ObjectIndex,
): readonly Replica[] =>
  indexes
    .toSorted((a, b) => a - b)
    .map((index) => replicaAt(job, index, objects))
    .filter((replica) => isOwn(job, replica));

const isOwn = ({ meta }: Job, replica: Replica | undefined): replica is Replica =>
  replica?.spec.workloadUid === meta.uid;

function replicaAt(
  { meta, status }: Job,
  index: number,
  objects: ObjectIndex,
): Replica | undefined {
  const { namespace: tenant, name: workload } = meta;
  const generation = status.templateGeneration;
  return objects.replica(replicaKey({ tenant, workload, generation, index }));
}
