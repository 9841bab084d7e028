/**
 * Says that a job is over: all of it succeeded, too much of it failed, or its time is up; and
 * deletes it once it was kept for as long as it says. Observes workloads and replicas through a
 * view that may be stale; proposes `finish` and `delete`. Leaves both checks to the authority, and
 * what still runs of a job that is over to `admit`.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { isJob, type Job, type JobEnd, type JobMoment } from "../model/batch.ts";
import type { Epoch, ObjectKey } from "../model/ids.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { workloadOf } from "../model/workload-of.ts";
import { givenUp, jobVerdict } from "../observe/job-verdict.ts";
import type { View } from "../observe/view.ts";
import { deleteOperation, finishOperation } from "../protocol/operations.ts";

export function createFinishBatch(): Controller {
  const planner = new FinishPlanner();
  return {
    role: "finish-batch",
    interest: { kinds: new Set(["Workload", "Replica"]), node: undefined },
    keysFor,
    allKeys: function* (view) {
      for (const workload of view.objects.all("Workload").values()) {
        if (isJob(workload)) yield workload.key;
      }
    },
    reconcile: (key, view, look) => planner.look(key, view, look),
  };
}

function keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
  const object = after ?? before;
  // One that is no job any more, or is gone, has a clock to be forgotten.
  if (object?.kind === "Workload") return object.spec.type === "batch" ? [object.key] : [];
  if (object?.kind !== "Replica" || object.spec.type !== "batch") return [];
  const key = workloadOf(object);
  return isJob(view.objects.workload(key)) ? [key] : [];
}

/**
 * A moment of the authority's clock, and since when this controller has seen it under one
 * leadership, by its own.
 */
interface Seen {
  readonly moment: JobMoment;
  readonly epoch: Epoch;
  readonly seenMs: number;
}

class FinishPlanner {
  private readonly seen = new Map<ObjectKey, Seen>();

  look(key: ObjectKey, view: View, look: Look): Decision {
    const job = view.objects.workload(key);
    if (!isJob(job) || job.meta.deletingMs !== undefined) {
      this.seen.delete(key);
      return settled;
    }
    const { batch } = job.status;
    if (batch === undefined) return settled;
    if (batch.finished !== undefined) return this.keep(job, batch.finished, view, look);
    const progress = view.objects.jobs.of(job);
    const end = jobVerdict(job.spec.batch, progress);
    const done = `${progress.succeeded} of ${job.spec.batch.completions} succeeded`;
    const counts = `${done}, ${givenUp(job.spec.batch, progress)} abandoned, ${progress.failures} failures`;
    if (end !== undefined) return finish(job, end, counts);
    return this.watch(job, { started: batch.started, counts }, view, look);
  }

  /** Until its deadline, if it has one. */
  private watch(
    job: Job,
    { started, counts }: { readonly started: JobMoment; readonly counts: string },
    view: View,
    look: Look,
  ): Decision {
    const { activeDeadlineMs: lastsMs } = job.spec.batch;
    if (lastsMs === undefined) return settled;
    const dueMs = this.dueMs({ job, moment: started, lastsMs }, view, look);
    if (dueMs <= look.now) return finish(job, "deadline-exceeded", counts);
    const summary = `${job.key} has ${lastsMs} ms from its first start; ${counts}`;
    return wait({ reason: "job-deadline", wakes: [], deadlineMs: dueMs, because: { summary } });
  }

  /** Until it has been there for long enough. */
  private keep(job: Job, finished: JobMoment, view: View, look: Look): Decision {
    const { key, spec } = job;
    const { ttlMs } = spec.batch;
    if (ttlMs === undefined) return settled;
    const dueMs = this.dueMs({ job, moment: finished, lastsMs: ttlMs }, view, look);
    if (dueMs > look.now) {
      const summary = `${key} is kept for ${ttlMs} ms after it is finished`;
      return wait({ reason: "job-ttl", wakes: [], deadlineMs: dueMs, because: { summary } });
    }
    const intent = {
      kind: "delete",
      operation: deleteOperation(job),
      key,
      expect: {},
      evidence: { kind: "job-ttl", workload: key },
    } as const;
    return propose([intent], { summary: `the time to live of ${key} is over` });
  }

  private dueMs({ job, moment, lastsMs }: Lasting, { epoch }: View, look: Look): number {
    const known = this.seen.get(job.key);
    // A new leadership counts anew, and so do we: asking early would only be refused.
    const isSame =
      known?.epoch === epoch &&
      known.moment.atMs === moment.atMs &&
      known.moment.epoch === moment.epoch;
    const seen = isSame ? known : { moment, epoch, seenMs: look.now };
    this.seen.set(job.key, seen);
    // Our clock may be fast by the bound and the authority's slow by it.
    const driftMs = Math.ceil((2 * lastsMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
    return seen.seenMs + lastsMs + driftMs;
  }
}

/** What began at a moment of the authority's clock and lasts for so long. */
interface Lasting {
  readonly job: Job;
  readonly moment: JobMoment;
  readonly lastsMs: number;
}

function finish(job: Job, end: JobEnd, counts: string): Decision {
  const intent = {
    kind: "finish",
    operation: finishOperation(job, end),
    workload: job.key,
    generation: job.status.templateGeneration,
    end,
  } as const;
  return propose([intent], { summary: `${job.key} has finished: ${end}; ${counts}` });
}
