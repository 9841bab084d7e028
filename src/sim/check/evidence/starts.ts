/**
 * [INV20] A process is started only when the authority has committed its agent's claim to start it.
 *
 * It would break if an agent acted on what its view shows: a restarted agent that lists from a
 * lagging plane would start what was deleted long ago.
 */
import type { Checker, LiveProcess, Report, Truth } from "../checker.ts";

class StartsChecker implements Checker {
  readonly name = "starts";

  processStarted({ replica, incarnation, node }: LiveProcess, truth: Truth, report: Report): void {
    const status = truth.objects.replica(replica)?.status;
    if (
      status?.incarnation === incarnation &&
      status.stage !== "bound" &&
      status.stage !== "queued"
    )
      return;
    const found =
      status === undefined ? "gone" : `${status.stage} in incarnation ${status.incarnation}`;
    report(
      "INV20",
      `${node} started ${replica} incarnation ${incarnation}, which is ${found}.`,
      replica,
    );
  }
}

export const createStartsChecker = (): Checker => new StartsChecker();
