/**
 * [INV120] Once a plane was given a shared log, no commit of an earlier leadership lands in it.
 * [INV121] Only the plane that was given the log last answers anything but `unavailable`: of all
 * others even a refusal, or that an operation is not known, may have stopped being true. [INV125]
 * No plane answers on, or shows, what is not in the log at that moment. [LIV50] In a healed world
 * somebody leads.
 *
 * It would break if the store checked an epoch before it wrote rather than while, if a plane relied
 * on its lease for longer than the store does, if it took the answer to one append for that to
 * another, or if everybody waited for somebody else to lead.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Epoch, Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { vouchedFor } from "../models/vouched-for.ts";

/**
 * A lease ends within five and a half seconds, an attempt that is lost is made again after two, and
 * a plane may die between winning and leading. Written out, not imported: who takes longer has
 * broken the promise.
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
