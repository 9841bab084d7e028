/**
 * [LB4] An agent claims no more starts in a second than it may make at once and in a second.
 * [LB6] Of what an agent sends in one turn, the renewal of its lease is the first.
 *
 * They would break if a workload that fails as often as it is started could take all turns of an
 * agent, or if a renewal waited behind a thousand reports: then one tenant's work costs the node
 * its lease, and all others there their processes.
 */
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Request } from "../../../core/kernel/component.ts";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import type { OperationId } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** One more for a clock that runs one in a hundred fast. */
const MOST = LOAD_LIMITS.startsAtOnce.value + LOAD_LIMITS.startsPerSecond.value + 1;

class LoadBoundsChecker implements Checker {
  readonly name = "load-bounds";
  /** Per agent, when it first claimed each of its latest starts. */
  private readonly claims = new Map<string, number[]>();
  /** Every start that was claimed: a replica's incarnation has one. */
  private readonly known = new Set<string>();
  /** Per agent, when it last sent something that is no renewal, and nothing was heard since. */
  private readonly sentMs = new Map<string, number>();
  private readonly sessions = new Map<string, number>();

  requested(
    from: string,
    _operation: OperationId,
    _attempt: number,
    truth: Truth,
    report: Report,
    request: Request,
  ): void {
    if (!from.startsWith("agent:") || request.kind !== "command") return;
    const { intent } = request.command;
    if (intent.kind === "lease") {
      // A new session begins when it can, whatever else the turn has sent.
      const isSame = this.sessions.get(from) === intent.session;
      this.sessions.set(from, intent.session);
      if (!isSame || this.sentMs.get(from) !== truth.nowMs) return;
      report("LB6", `${from} sent other requests before the renewal of its lease.`);
      return;
    }
    this.sentMs.set(from, truth.nowMs);
    if (intent.kind !== "report" || intent.stage !== "starting") return;
    // A process that is not ready any more is reported as starting, too; it starts only once.
    const start = `${intent.replica} ${intent.uid} ${intent.incarnation}`;
    if (this.known.has(start)) return;
    this.known.add(start);
    const lately = [...(this.claims.get(from) ?? []), truth.nowMs].filter(
      (atMs) => atMs > truth.nowMs - 1_000,
    );
    this.claims.set(from, lately);
    if (lately.length <= MOST) return;
    report("LB4", `${from} claimed ${lately.length} starts within a second.`);
  }

  /** What was heard may have made a renewal due at once. */
  replied(to: string, _operation: OperationId, _reply: Reply): void {
    this.sentMs.delete(to);
  }

  clientStopped(component: string): void {
    this.claims.delete(component);
    this.sentMs.delete(component);
  }
}

export const createLoadBoundsChecker = (): Checker => new LoadBoundsChecker();
