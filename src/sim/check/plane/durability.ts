/**
 * [INV11] Whatever a client was told is committed is in the durable log, at that revision and under
 * that operation.
 *
 * It would break if the authority answered before its append was durable, or answered a retry from
 * a batch that never landed. The log only grows, so looking once, when the reply arrives, is
 * enough.
 */
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { OperationId, Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

class DurabilityChecker implements Checker {
  readonly name = "durability";

  replied(to: string, operation: OperationId, reply: Reply, truth: Truth, report: Report): void {
    const revision = promised(reply);
    if (revision === undefined) return;
    const first = truth.commits[0]?.revision ?? 0;
    const commit = truth.commits[revision - first];
    if (commit === undefined) {
      const last = truth.commits.at(-1)?.revision ?? 0;
      report(
        "INV11",
        `${to} was told that ${operation} is committed at revision ${revision}; the log ends at ${last}.`,
      );
    } else if (commit.operation !== operation) {
      report(
        "INV11",
        `${to} was told that ${operation} is committed at revision ${revision}; that revision is ${commit.operation}.`,
      );
    }
  }
}

/** The revision a reply vouches for, if it vouches for any. */
function promised(reply: Reply): Revision | undefined {
  if (reply.kind === "found") return reply.first.revision;
  if (reply.kind !== "outcome") return undefined;
  const { outcome } = reply;
  if (outcome.kind === "committed") return outcome.revision;
  return outcome.kind === "duplicate" ? outcome.first.revision : undefined;
}

export const createDurabilityChecker = (): Checker => new DurabilityChecker();
