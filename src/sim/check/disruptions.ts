/**
 * [INV42] Nobody on purpose takes more replicas of a workload out of serving than it says may be:
 * not by preemption, not by a drain, not to give quota back. What crashes or is lost is not asked.
 *
 * It would break if each of several causes looked only at what it takes itself, or at what serves
 * in a view.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Workload } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal } from "./fast-path.ts";
import { holdingAt, raisedFor } from "./models/naive-overrides.ts";
import { unavailable } from "./models/naive-preemption.ts";
import { isServing, isWantedBy, workloadOf } from "./models/naive-wanted.ts";

/** Ends that the workload itself asked for, and of what it was never promised (DG5, DG6). */
const ASKED_FOR: ReadonlySet<string> = new Set([
  "surplus",
  "rollout",
  "replaced",
  "finished",
  "unconfirmed",
]);

class DisruptionsChecker implements Checker {
  readonly name = "disruptions";
  /** Workloads of which the commit at hand takes replicas out of serving on purpose. */
  private readonly disturbed = new Set<Workload>();

  beforeCommit(commit: Commit, truth: Truth): void {
    // Whoever forces a drain has waited for its deadline; that it passed is for the checker of
    // drains to see.
    if (isRenewal(commit) || commit.evidence?.kind === "drain-forced") return;
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      const { stopping } = after.status;
      if (stopping === undefined || ASKED_FOR.has(stopping.reason) || !isServing(before)) continue;
      const workload = workloadOf(truth.objects, before);
      if (workload?.spec.disruption === undefined) continue;
      if (isWantedBy(workload, before.spec)) this.disturbed.add(workload);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const workload of this.disturbed) {
      const missing = unavailable(truth.objects, workload);
      const raised = raisedFor(holdingAt(truth.objects, commit.atMs), workload.meta);
      const most = (workload.spec.disruption?.maxUnavailable ?? missing) + raised;
      if (missing <= most) continue;
      const { key } = workload;
      const what = `${missing} replicas of ${key} are out of serving, of which ${most} may be`;
      report("INV42", `After ${commit.command} of ${commit.actor.name}, ${what}.`, key);
    }
    this.disturbed.clear();
  }
}

export const createDisruptionsChecker = (): Checker => new DisruptionsChecker();
