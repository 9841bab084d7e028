/**
 * [INV61] A replica is not bound again to a node that has just turned it away, unless it came to
 * run somewhere meanwhile.
 *
 * It would break if the scheduler went by the Node object alone: the room that the machine does not
 * have is still free there, so every incarnation would go to the same node and be turned away
 * again, for ever.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Uid } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** A minute by a clock that may run one part in a hundred fast, and a little for rounding. */
const AWAY_MS = 59_000;

class RejectionsChecker implements Checker {
  readonly name = "rejections";
  readonly ignoresRenewals = true;
  /** By replica: when each node turned it away, true time. */
  private readonly turnedAway = new Map<Uid, Map<string, number>>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command !== "report" && commit.command !== "bind" && commit.command !== "bind-all") {
      return;
    }
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Replica") continue;
      if (commit.command === "report") this.reported(before as Replica, after, truth.nowMs);
      else this.bound(after, truth.nowMs, report);
    }
  }

  private reported(before: Replica, after: Replica, nowMs: number): void {
    const { uid } = after.meta;
    const { stage, incarnation } = after.status;
    if (stage === "ready" || stage === "serving" || stage === "running") {
      this.turnedAway.delete(uid);
      return;
    }
    const node = before.status.node ?? "";
    const isRejection = after.status.rejections?.some(
      (at) => at.node === node && at.incarnation === incarnation,
    );
    if (stage !== "failed" || isRejection !== true) return;
    const nodes = this.turnedAway.get(uid) ?? new Map<string, number>();
    this.turnedAway.set(uid, nodes.set(node, nowMs));
  }

  private bound({ key, meta, status }: Replica, nowMs: number, report: Report): void {
    const node = status.node ?? "";
    const sinceMs = this.turnedAway.get(meta.uid)?.get(node);
    if (sinceMs === undefined || nowMs - sinceMs >= AWAY_MS) return;
    report(
      "INV61",
      `${key} incarnation ${status.incarnation} was bound to ${node}, which turned it away ${nowMs - sinceMs} ms before.`,
      key,
    );
  }
}

export const createRejectionsChecker = (): Checker => new RejectionsChecker();
