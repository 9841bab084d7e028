/**
 * Whether a job may be given incarnations: not more at once than it says, none of an index that was
 * given up, none beside its earlier template, and none once it is over (BA1 to BA4). Its first
 * incarnation starts its clock, in the same commit.
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
import { type CommitContext, changed, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/**
 * `changes` are what would be made of its indexes; of anything but a job they are made as they are.
 */
export function withinJob(
  context: CommitContext,
  workload: Workload,
  changes: readonly Change[],
): Verdict {
  if (!isJob(workload)) return changes;
  const fresh = changes
    .map(({ before, after }) => ({ before, after }) as Step)
    .filter(beginsIncarnation);
  const wrong = overJob(context, workload) ?? beyondJob(context, workload, fresh);
  if (wrong !== undefined) return wrong;
  if (workload.status.batch !== undefined) return changes;
  const started = { atMs: context.nowMs, epoch: context.ledger.epoch };
  const after: Workload = {
    ...workload,
    meta: touched(workload.meta, context.next),
    status: { ...workload.status, batch: { started } },
  };
  return [changed<Workload>(workload, after), ...changes];
}

interface Step {
  readonly before: Replica | undefined;
  readonly after: Replica;
}

const beginsIncarnation = ({ before, after }: Step): boolean =>
  before?.status.incarnation !== after.status.incarnation;

function overJob(context: CommitContext, { key, spec, status }: Job): Rejection | undefined {
  const { finished, started } = status.batch ?? {};
  if (finished !== undefined) return reject("job-finished", key, "not finished", finished.end);
  const { activeDeadlineMs } = spec.batch;
  if (started === undefined || activeDeadlineMs === undefined) return undefined;
  const activeMs = sinceMoment(context, started);
  return activeMs < activeDeadlineMs
    ? undefined
    : reject("job-finished", key, `active for less than ${activeDeadlineMs} ms`, `${activeMs} ms`);
}

function beyondJob(
  context: CommitContext,
  job: Job,
  fresh: readonly Step[],
): Rejection | undefined {
  if (fresh.length === 0) return undefined;
  const { key, spec } = job;
  const { jobs } = context.ledger.objects;
  const counts = jobs.of(job);
  const most = parallelismOf(spec.batch);
  const incarnations = counts.live.size + fresh.length;
  if (incarnations > most)
    return reject("job-parallelism", key, `at most ${most} at once`, incarnations);
  const old = jobs.oldIncarnations(job);
  if (old > 0) return reject("job-parallelism", key, "none of an earlier template", old);
  const limit = backoffLimitOf(spec.batch);
  if (counts.failures > limit) {
    return reject("job-retries", key, `at most ${limit} failures`, counts.failures);
  }
  const retries = retriesOf(spec.batch);
  const spent = fresh.find(({ after }) => after.status.failures > retries)?.after;
  return (
    spent && reject("job-retries", spent.key, `at most ${retries} failures`, spent.status.failures)
  );
}

/**
 * A later leadership knows only that it is no older than itself, and counts from its own beginning
 * (EV3).
 */
export function sinceMoment({ ledger, nowMs }: CommitContext, { atMs, epoch }: JobMoment): number {
  return nowMs - (epoch === ledger.epoch ? atMs : ledger.leadSinceMs);
}
