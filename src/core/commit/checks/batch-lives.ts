/**
 * Whether a job may be given lives: not more at once than it says, none of an index that was given up, none beside
 * its earlier template, and none once it is over (BA1 to BA4). Its first life starts its clock, in the same commit.
 */
import {
  backoffLimitOf,
  isJob,
  type Job,
  type JobMoment,
  parallelismOf,
  retriesOf,
} from "../../model/batch.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, changed, touched, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

/** `changes` are what would be made of its slots; of anything but a job they are made as they are. */
export function withinJob(bench: Bench, workload: Workload, changes: readonly Change[]): Verdict {
  if (!isJob(workload)) return changes;
  const fresh = changes.map(({ before, after }) => ({ before, after }) as Step).filter(beginsLife);
  const wrong = overJob(bench, workload) ?? beyondJob(bench, workload, fresh);
  if (wrong !== undefined) return wrong;
  if (workload.status.batch !== undefined) return changes;
  const started = { atMs: bench.nowMs, epoch: bench.ledger.epoch };
  const after: Workload = {
    ...workload,
    meta: touched(workload.meta, bench.next),
    status: { ...workload.status, batch: { started } },
  };
  return [changed<Workload>(workload, after), ...changes];
}

interface Step {
  readonly before: Replica | undefined;
  readonly after: Replica;
}

const beginsLife = ({ before, after }: Step): boolean => before?.status.life !== after.status.life;

function overJob(bench: Bench, { key, spec, status }: Job): No | undefined {
  const { finished, started } = status.batch ?? {};
  if (finished !== undefined) return no("job-finished", key, "not finished", finished.end);
  const { activeDeadlineMs } = spec.batch;
  if (started === undefined || activeDeadlineMs === undefined) return undefined;
  const activeMs = sinceMoment(bench, started);
  return activeMs < activeDeadlineMs
    ? undefined
    : no("job-finished", key, `active for less than ${activeDeadlineMs} ms`, `${activeMs} ms`);
}

function beyondJob(bench: Bench, job: Job, fresh: readonly Step[]): No | undefined {
  if (fresh.length === 0) return undefined;
  const { key, spec } = job;
  const { jobs } = bench.ledger.objects;
  const book = jobs.of(job);
  const most = parallelismOf(spec.batch);
  const lives = book.live.size + fresh.length;
  if (lives > most) return no("job-parallelism", key, `at most ${most} at once`, lives);
  const old = jobs.oldLives(job);
  if (old > 0) return no("job-parallelism", key, "none of an earlier template", old);
  const limit = backoffLimitOf(spec.batch);
  if (book.failures > limit)
    return no("job-retries", key, `at most ${limit} failures`, book.failures);
  const retries = retriesOf(spec.batch);
  const spent = fresh.find(({ after }) => after.status.failures > retries)?.after;
  return (
    spent && no("job-retries", spent.key, `at most ${retries} failures`, spent.status.failures)
  );
}

/** A later leadership knows only that it is no older than itself, and counts from its own beginning (EV3). */
export function sinceMoment({ ledger, nowMs }: Bench, { atMs, epoch }: JobMoment): number {
  return nowMs - (epoch === ledger.epoch ? atMs : ledger.leadSinceMs);
}
