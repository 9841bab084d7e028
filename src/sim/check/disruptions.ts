/**
 * [INV42] Nobody on purpose takes more replicas of a workload out of serving than it says may be: not by
 * preemption, not by a drain, not to give quota back. What crashes or is lost is not asked.
 *
 * It would break if each of several causes looked only at what it takes itself, or at what serves in a view.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { Workload } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal } from "./fast-path.ts";
import { isServing, unavailable, workloadOf } from "./naive-preemption.ts";

class DisruptionsChecker implements Checker {
  readonly name = "disruptions";
  /** Workloads of which the commit at hand takes replicas out of serving on purpose. */
  private readonly disturbed = new Set<Workload>();

  beforeCommit(commit: Commit, truth: Truth): void {
    if (isRenewal(commit)) return;
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      const { stopping } = after.status;
      if (stopping === undefined || stopping.reason === "surplus" || !isServing(before)) continue;
      const workload = workloadOf(truth.objects, before);
      const isWanted =
        workload !== undefined &&
        workload.meta.uid === before.spec.workloadUid &&
        workload.meta.deletingMs === undefined &&
        workload.status.templateGeneration === before.spec.generation &&
        before.spec.slot < workload.spec.replicas;
      if (isWanted && workload.spec.disruption !== undefined) this.disturbed.add(workload);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const workload of this.disturbed) {
      const missing = unavailable(truth.objects, workload);
      const most = workload.spec.disruption?.maxUnavailable ?? missing;
      if (missing <= most) continue;
      const { key } = workload;
      const what = `${missing} replicas of ${key} are out of serving, of which ${most} may be`;
      report("INV42", `After ${commit.command} of ${commit.actor.name}, ${what}.`, key);
    }
    this.disturbed.clear();
  }
}

export const createDisruptionsChecker = (): Checker => new DisruptionsChecker();
