/**
 * [INV80] The plane takes no replica of a service out of serving for another template while that
 * leaves fewer serving than the service allows. [INV81] While a service moves to another template,
 * no new incarnation makes more of it live than it allows. [INV82] A paused rollout begins and ends
 * nothing, no step begins more than its size, and a rollback leads to a template with which all
 * replicas have served. [INV83] Indexes of the last serving template are not given up while too few
 * of them and of the serving replicas are left.
 *
 * They would break if bounds were counted on a view, if two steps were each counted without the
 * other, or if a rollout trusted its own record of serving templates.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import {
  boundsOf,
  isLiving,
  isRolling,
  isServing,
  isWantedBy,
  livingOf,
  replicasOf,
  servingOf,
  workloadOf,
} from "./models/naive-wanted.ts";

class RolloutsChecker implements Checker {
  readonly name = "rollouts";
  readonly ignoresRenewals = true;
  /**
   * Workloads of which the current commit takes replicas out of serving, and those that get
   * incarnations.
   */
  private readonly taken = new Map<ObjectKey, Replica>();
  private readonly begun = new Set<ObjectKey>();
  /**
   * Uids of replicas that a person has scaled down: they may go, even if the workload scales up
   * again.
   */
  private readonly scaledAway = new Set<string>();
  /** `uid generation` of which all replicas served at some commit. */
  private readonly served = new Set<string>();

  beforeCommit(commit: Commit, truth: Truth): void {
    if (commit.actor.role === "user") return;
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Replica") continue;
      const was = before?.kind === "Replica" ? before : undefined;
      const workload = workloadOf(truth.objects, after);
      if (workload === undefined || workload.spec.gang !== undefined) continue;
      const isTaken = was !== undefined && isTakenFor(was, after, workload);
      if (isTaken && !this.scaledAway.has(was.meta.uid)) this.taken.set(workload.key, was);
      const isNewIncarnation =
        was === undefined || was.status.incarnation < after.status.incarnation;
      // A replica that lived before the commit was counted then: its next incarnation adds none
      // (DC1).
      const isOneMore = was === undefined || !isLiving(was);
      if (isNewIncarnation && isOneMore) this.begun.add(workload.key);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const [key, replica] of this.taken) availability(commit, key, replica, truth, report);
    for (const key of this.begun) surge(commit, key, truth, report);
    this.taken.clear();
    this.begun.clear();
    for (const { before, after } of commit.changes) {
      if (after?.kind === "Replica" && isServing(after)) this.note(after, truth);
      if (after?.kind === "Workload" && before?.kind === "Workload") {
        this.noteScaledAway(after, truth);
        // After a scale-down, the serving replicas may be all there are.
        if (after.spec.replicas < before.spec.replicas) this.noteAllOf(after, truth);
        this.moved(commit, before, after, report);
        if (commit.command === "roll") givenUp(before, after, truth, report);
      }
    }
  }

  private noteAllOf({ key }: Workload, truth: Truth): void {
    for (const replica of truth.objects.replicasOf(key).values()) {
      if (isServing(replica)) this.note(replica, truth);
    }
  }

  /** Records whether all replicas of the workload now serve in this generation. */
  private note(replica: Replica, { objects }: Truth): void {
    const workload = workloadOf(objects, replica);
    if (workload?.spec.type !== "service" || workload.meta.uid !== replica.spec.workloadUid) return;
    const { generation } = replica.spec;
    const name = `${workload.meta.uid} ${generation}`;
    if (this.served.has(name)) return;
    const indexes = new Set<number>();
    for (const other of objects.replicasOf(workload.key).values()) {
      const { index } = other.spec;
      if (index >= workload.spec.replicas || other.spec.generation !== generation) continue;
      if (isServing(other)) indexes.add(index);
    }
    if (indexes.size >= workload.spec.replicas) this.served.add(name);
  }

  private noteScaledAway(workload: Workload, { objects }: Truth): void {
    for (const { meta, spec } of objects.replicasOf(workload.key).values()) {
      if (spec.index >= workload.spec.replicas) this.scaledAway.add(meta.uid);
    }
  }

  private moved(commit: Commit, before: Workload, after: Workload, report: Report): void {
    const { rollout } = after.status;
    if (commit.command !== "roll" || rollout === undefined) return;
    const { key } = after;
    if (rollout.stage === "going-back" || rollout.stage === "rolled-back") {
      if (!this.served.has(`${after.meta.uid} ${rollout.to}`)) {
        report("INV82", `${key} goes back to generation ${rollout.to}, which never served.`, key);
      }
      return;
    }
    const count = (runs: readonly number[]): number => countBelow(runs, after.spec.replicas);
    const begun = count(rollout.begun);
    const isMore = begun > count(before.status.rollout?.begun ?? []);
    const { paused, steps = [] } = after.spec.rollout ?? {};
    const isMoved = isMore || leftOf(before) !== leftOf(after);
    if (paused === true && isMoved) report("INV82", `${key} moved on while it was paused.`, key);
    const most = steps[rollout.step]?.replicas ?? Number.POSITIVE_INFINITY;
    if (isMore && begun > most) {
      const what = `${begun} replicas of generation ${rollout.to} at step ${rollout.step}`;
      report("INV82", `${key} wants ${what}, which is for ${most}.`, key);
    }
  }
}

function indexesOf({ status, spec }: Workload, generation: number): number {
  const own = status.rollout?.old.find((each) => each.generation === generation);
  return countBelow(own?.indexes ?? [], spec.replicas);
}

/**
 * Enough must be left of the serving replicas and of those that served before, or nothing is given
 * up.
 */
function givenUp(before: Workload, after: Workload, { objects }: Truth, report: Report): void {
  const { rollout, served } = after.status;
  const from = before.status.rollout?.from;
  if (rollout === undefined || from === undefined || from === rollout.to) return;
  const { key, spec } = after;
  if (indexesOf(after, from) >= indexesOf(before, from) || served === true) return;
  const others = replicasOf(objects, after).filter(
    (replica) =>
      replica.spec.generation !== from && isServing(replica) && isWantedBy(after, replica.spec),
  );
  const left = indexesOf(after, from) + others.length;
  const least = spec.replicas - boundsOf(after).unavailable;
  if (left >= least) return;
  const what = `${key} leaves generation ${from}, which served`;
  report("INV83", `${what}, for what has not: ${left} are left of at least ${least}.`, key);
}

const leftOf = ({ status }: Workload): string => JSON.stringify(status.rollout?.old ?? []);

function countBelow(runs: readonly number[], replicas: number): number {
  let count = 0;
  for (let index = 0; index < replicas; index += 1) {
    if (runs.filter((bound) => bound <= index).length % 2 === 1) count += 1;
  }
  return count;
}

/** Stopped while it served, only so that others serve in its place. */
function isTakenFor(was: Replica, after: Replica, { meta, spec }: Workload): boolean {
  const { stopping } = after.status;
  // A superseded replica serves for no index: another replica owns it.
  if (stopping === undefined || !isServing(was) || was.status.superseded !== undefined) {
    return false;
  }
  if (stopping.reason !== "surplus" && stopping.reason !== "rollout") return false;
  const isOwn = meta.uid === was.spec.workloadUid && meta.deletingMs === undefined;
  return isOwn && spec.type === "service" && was.spec.index < spec.replicas;
}

function availability(
  commit: Commit,
  key: ObjectKey,
  replica: Replica,
  { objects }: Truth,
  report: Report,
): void {
  const workload = objects.workload(key);
  if (workload === undefined) return;
  const least = workload.spec.replicas - boundsOf(workload).unavailable;
  const serving = servingOf(objects, workload);
  if (serving >= least) return;
  const what = `${replica.key} was asked to stop by ${commit.actor.name}`;
  report("INV80", `${what}, and ${serving} of ${key} are left of at least ${least}.`, key);
}

function surge(commit: Commit, key: ObjectKey, { objects }: Truth, report: Report): void {
  const workload = objects.workload(key);
  if (workload === undefined || !isRolling(workload)) return;
  const most = workload.spec.replicas + boundsOf(workload).surge;
  const living = livingOf(objects, workload);
  if (living <= most) return;
  const what = `${commit.command} of ${commit.actor.name}`;
  report("INV81", `After ${what}, ${living} of ${key} live, of at most ${most}.`, key);
}

export const createRolloutsChecker = (): Checker => new RolloutsChecker();
