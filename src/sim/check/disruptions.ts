/**
 * [INV42] The plane never takes more replicas of a workload out of serving than its disruption
 * budget allows, whether by preemption, by a drain or to reclaim quota. Crashes and lost nodes do
 * not count. A drain takes one replica at a time of a service without such a budget.
 *
 * It would break if each of several causes counted only its own evictions, or if it counted serving
 * replicas in a view.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Workload } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { holdingAt, raisedFor } from "./models/naive-overrides.ts";
import { takenOut, unavailable } from "./models/naive-preemption.ts";
import { isServing, isWantedBy, workloadOf } from "./models/naive-wanted.ts";

/** Ends that the workload itself asked for, and ends of provisional bindings (DG5, DG6). */
const ASKED_FOR: ReadonlySet<string> = new Set([
  "surplus",
  "rollout",
  "replaced",
  "finished",
  "unconfirmed",
]);

class DisruptionsChecker implements Checker {
  readonly name = "disruptions";
  readonly ignoresRenewals = true;
  /** Workloads of which the current commit takes replicas out of serving on purpose. */
  private readonly disturbed = new Set<Workload>();
  /** Those of them that state no budget, and that a drain takes a replica of. */
  private readonly drained = new Set<Workload>();

  beforeCommit(commit: Commit, truth: Truth): void {
    // A forced drain comes after its deadline; the checker of drains verifies that the deadline has
    // passed.
    if (commit.evidence?.kind === "drain-forced") return;
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      const { stopping } = after.status;
      if (stopping === undefined || ASKED_FOR.has(stopping.reason) || !isServing(before)) continue;
      const workload = workloadOf(truth.objects, before);
      if (workload === undefined || !isWantedBy(workload, before.spec)) continue;
      if (workload.spec.disruption !== undefined) this.disturbed.add(workload);
      else if (stopping.reason === "drain" && workload.spec.type === "service") {
        this.drained.add(workload);
      }
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
    for (const workload of this.drained) {
      const out = takenOut(truth.objects, workload);
      if (out <= 1) continue;
      const { key } = workload;
      const what = `${out} replicas of ${key} are out of serving, of which a drain may take 1`;
      report("INV42", `After ${commit.command} of ${commit.actor.name}, ${what}.`, key);
    }
    this.drained.clear();
  }
}

export const createDisruptionsChecker = (): Checker => new DisruptionsChecker();
