/**
 * [INV120] Once a plane has claimed a shared log, no commit of an earlier leadership lands in it.
 * [INV121] Only the plane that claimed the log last answers anything but `unavailable`: even a
 * refusal, or an unknown operation, may no longer be true at the others. [INV125] No plane answers
 * with, or shows, state that is not in the log at that moment. [LIV50] In a healed world there is a
 * leader.
 *
 * It would break if the store checked an epoch before the write rather than during it, if a plane
 * relied on its lease for longer than the store does, if it took the answer to one append for that
 * to another, or if every plane waited for another to lead.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { vouchedFor } from "../models/vouched-for.ts";

/**
 * A lease ends within five and a half seconds, a lost attempt is repeated after two, and a plane
 * may die between winning and leading. Written out, not imported: a slower plane has broken the
 * promise.
 */
const LEADERLESS_MS = 15_000;

class LeadershipChecker implements Checker {
  readonly name = "leadership";
  private newest: Epoch = 0;
  private holder = "no plane";
  private leaderlessSinceMs: number | undefined;

  claimed(plane: string, epoch: Epoch, _truth: Truth, report: Report): void {
    if (epoch <= this.newest) {
      report(
        "INV120",
        `${plane} was given the log under epoch ${epoch} after epoch ${this.newest}.`,
      );
    }
    this.newest = epoch;
    this.holder = plane;
  }

  beforeCommit({ epoch, command, operation }: Commit, _truth: Truth, report: Report): void {
    if (epoch === this.newest) return;
    report(
      "INV120",
      `${command} ${operation} of epoch ${epoch} landed after ${this.holder} was given the log under epoch ${this.newest}.`,
    );
  }

  answered(plane: string, reply: Reply, truth: Truth, report: Report): void {
    if (reply.kind === "unavailable") return;
    const vouched = vouchedFor(reply);
    if (vouched > truth.commits.length) {
      report(
        "INV125",
        `${plane} answered ${reply.kind} as of revision ${vouched}; the log ends at ${truth.commits.length}.`,
      );
    }
    if (plane === this.holder && reply.epoch === this.newest) return;
    report(
      "INV121",
      `${plane} answered ${reply.kind} under epoch ${reply.epoch}; ${this.holder} was given the log under epoch ${this.newest}.`,
    );
  }

  shown(plane: string, to: Revision, truth: Truth, report: Report): void {
    if (to <= truth.commits.length) return;
    report("INV125", `${plane} showed revision ${to}; the log ends at ${truth.commits.length}.`);
  }

  sampled(truth: Truth, report: Report): void {
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const isLed = [...truth.planes()].some(
      ({ isLeading, epoch }) => isLeading && epoch === this.newest,
    );
    if (isLed) this.leaderlessSinceMs = undefined;
    else this.leaderlessSinceMs ??= truth.nowMs;
    const forMs = truth.nowMs - (this.leaderlessSinceMs ?? truth.nowMs);
    if (forMs >= LEADERLESS_MS) report("LIV50", `No plane has led for ${forMs} ms.`);
  }
}

export const createLeadershipChecker = (): Checker => new LeadershipChecker();
