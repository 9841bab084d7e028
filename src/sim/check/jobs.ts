/**
 * [INV100] No new incarnation makes more replicas of a job live than its parallelism, or begins
 * beside a live one of an earlier template. [INV101] An index never restarts with the same template
 * after it succeeded, after more failures than the index or its job allows, or after the job is
 * over. [INV102] A job is over once per template, for a true reason, and is not deleted for its age
 * before its time. Failures are counted here as they are reported, and time is true time. [INV103]
 * No two processes of one index of a job run at once, of whatever incarnation, replica or template.
 *
 * They would break if incarnations were counted on a view, if a retry did not wait for the end of
 * the previous one, or if a new leadership took the times of another clock for its own.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Epoch, ObjectKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { Checker, LiveProcess, Report, Truth } from "./checker.ts";
import { jobPicture } from "./models/naive-jobs.ts";
import { workloadOf } from "./models/naive-wanted.ts";
import { surely } from "./surely.ts";

/** A moment in true time, with its leadership. */
interface Moment {
  readonly atMs: number;
  readonly epoch: Epoch;
}

/** The history of one template of one job. */
interface Past {
  readonly succeeded: Set<number>;
  readonly failures: Map<number, number>;
  started?: Moment;
  finished?: Moment;
}

class JobsChecker implements Checker {
  readonly name = "jobs";
  readonly ignoresRenewals = true;
  private readonly pasts = new Map<string, Past>();
  private lead: Moment = { atMs: 0, epoch: 0 };
  /** Jobs that get incarnations in the current commit. */
  private readonly begun = new Set<ObjectKey>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "lead") this.lead = { atMs: truth.nowMs, epoch: commit.epoch };
    for (const { before, after } of commit.changes) {
      if (after?.kind === "Replica") {
        this.seeReplica(truth.objects.replica(after.key), after, { commit, truth, report });
      }
      if (before?.kind !== "Workload") continue;
      if (after?.kind === "Workload") this.seeEnd(before, after, { commit, truth, report });
    }
  }

  afterCommit(commit: Commit, { objects }: Truth, report: Report): void {
    for (const key of this.begun) {
      const workload = objects.workload(key);
      const picture = workload && jobPicture(objects, workload);
      if (picture === undefined) continue;
      const { live, oldLive, parallelism } = picture;
      const what = `After ${commit.command} of ${commit.actor.name}`;
      if (live.length > parallelism) {
        report("INV100", `${what}, ${live.length} of ${key} live, of at most ${parallelism}.`, key);
      }
      if (oldLive.length > 0) {
        report("INV100", `${what}, ${oldLive[0]?.key} still runs beside a new template.`, key);
      }
    }
    this.begun.clear();
  }

  processStarted(process: LiveProcess, truth: Truth, report: Report): void {
    const replica = truth.objects.replica(process.replica);
    if (replica?.spec.type !== "batch") return;
    if (workloadOf(truth.objects, replica)?.spec.batch === undefined) return;
    for (const other of truth.processes()) {
      if (other.replica === process.replica && other.incarnation === process.incarnation) continue;
      const its = truth.objects.replica(other.replica);
      if (its?.spec.workloadUid !== replica.spec.workloadUid) continue;
      if (its.spec.index !== replica.spec.index) continue;
      const what = `${process.replica} incarnation ${process.incarnation} was started on ${process.node}`;
      const still = `${other.replica} incarnation ${other.incarnation} runs on ${other.node}`;
      report("INV103", `${what} while ${still}.`, process.replica);
    }
  }

  private seeReplica(was: Replica | undefined, replica: Replica, of: Seeing): void {
    const workload = workloadOf(of.truth.objects, replica);
    if (workload?.spec.batch === undefined || workload.meta.uid !== replica.spec.workloadUid)
      return;
    const past = this.pastOf(workload.meta.uid, replica.spec.generation);
    const { index } = replica.spec;
    const { stage, incarnation } = replica.status;
    if (was?.status.incarnation !== incarnation) this.begins(workload, replica, past, of);
    if (was?.status.stage === stage) return;
    if (stage === "succeeded") past.succeeded.add(index);
    if (stage === "failed") past.failures.set(index, (past.failures.get(index) ?? 0) + 1);
  }

  private begins(workload: Workload, { key, spec }: Replica, past: Past, of: Seeing): void {
    const { report, commit, truth } = of;
    // A restart on its own node was live before and replaces no other replica.
    if (commit.command !== "lease") this.begun.add(workload.key);
    past.started ??= { atMs: truth.nowMs, epoch: commit.epoch };
    if (past.finished !== undefined) {
      report("INV101", `${key} began an incarnation, and its job was over.`, key);
    }
    if (past.succeeded.has(spec.index)) {
      report("INV101", `${key} began an incarnation, and its index had succeeded.`, key);
    }
    const retries = workload.spec.batch?.perIndexRetries ?? Number.POSITIVE_INFINITY;
    const failures = past.failures.get(spec.index) ?? 0;
    if (commit.command !== "lease" && (failures > retries || sumOf(past) > limitOf(workload))) {
      const all = sumOf(past);
      report(
        "INV101",
        `${key} began an incarnation after ${failures} failures, ${all} of all.`,
        key,
      );
    }
  }

  private seeEnd(before: Workload, after: Workload, of: Seeing): void {
    const { report, truth, commit } = of;
    const { key } = after;
    const generation = before.status.templateGeneration;
    const past = this.pastOf(after.meta.uid, generation);
    const isDeleted = before.meta.deletingMs === undefined && after.meta.deletingMs !== undefined;
    if (isDeleted && commit.actor.role === "finish-batch") {
      const keptMs = past.finished && this.sinceMs(past.finished, of);
      const ttlMs = after.spec.batch?.ttlMs ?? Number.POSITIVE_INFINITY;
      if (keptMs === undefined || keptMs < surely(ttlMs)) {
        report("INV102", `${key} was deleted ${keptMs ?? 0} ms after its end.`, key);
      }
    }
    const end = after.status.batch?.finished?.end;
    const was = before.status.batch?.finished?.end;
    if (after.status.templateGeneration !== generation || end === was) return;
    if (end === undefined || was !== undefined || past.finished !== undefined) {
      report("INV102", `${key} was ${was} and became ${end ?? "open again"}.`, key);
      return;
    }
    past.finished = { atMs: truth.nowMs, epoch: commit.epoch };
    const wrong = this.whyNotOver(end, before, past, of);
    if (wrong !== undefined) report("INV102", `${key} is said to be ${end}: ${wrong}.`, key);
  }

  private whyNotOver(end: string, workload: Workload, past: Past, of: Seeing): string | undefined {
    const { batch } = workload.spec;
    if (batch === undefined) return "it is no job";
    const { completions, perIndexRetries = Number.POSITIVE_INFINITY, activeDeadlineMs } = batch;
    const done = past.succeeded.size;
    if (end === "succeeded") return done === completions ? undefined : `${done} have succeeded`;
    if (done === completions) return "all have succeeded";
    if (end === "backoff-limit-exceeded") {
      return sumOf(past) > limitOf(workload) ? undefined : `${sumOf(past)} have failed`;
    }
    if (end === "failed-indexes") {
      const given = [...past.failures].filter(
        ([index, failures]) => failures > perIndexRetries && !past.succeeded.has(index),
      ).length;
      return done + given === completions ? undefined : `${given} were given up`;
    }
    const activeMs = past.started === undefined ? 0 : this.sinceMs(past.started, of);
    return activeDeadlineMs !== undefined && activeMs >= surely(activeDeadlineMs)
      ? undefined
      : `it has been active for ${activeMs} ms`;
  }

  /** A later leadership counts from its own beginning. */
  private sinceMs({ atMs, epoch }: Moment, { commit, truth }: Seeing): number {
    return truth.nowMs - (epoch === commit.epoch ? atMs : this.lead.atMs);
  }

  private pastOf(uid: string, generation: number): Past {
    const name = `${uid}/${generation}`;
    const past = this.pasts.get(name) ?? { succeeded: new Set(), failures: new Map() };
    this.pasts.set(name, past);
    return past;
  }
}

interface Seeing {
  readonly commit: Commit;
  readonly truth: Truth;
  readonly report: Report;
}

const sumOf = ({ failures }: Past): number =>
  [...failures.values()].reduce((sum, count) => sum + count, 0);

// Written out, not imported: see `naive-jobs.ts`.
const limitOf = ({ spec }: Workload): number =>
  spec.batch?.backoffLimit ??
  (spec.batch?.perIndexRetries === undefined ? 6 : Number.POSITIVE_INFINITY);

export const createJobsChecker = (): Checker => new JobsChecker();
