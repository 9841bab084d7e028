/**
 * [OP3] If a caller stays within its share of the remembered operations, the plane remembers all of
 * them, regardless of other callers.
 *
 * It would break if a flood evicted the operations of others: a caller that asks again after a lost
 * answer would hear that its command never had its effect. The plane forgets the oldest operations
 * first, so a caller's first one stands for all.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { OPERATION_LIMITS } from "../../../core/commit/operation-limits.ts";
import { CONTROLLERS, spaceOfCommit } from "../../../core/protocol/operation-space.ts";
import type { OperationId, Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

interface Caller {
  readonly first: OperationId;
  readonly since: Revision;
  count: number;
}

class OperationMemoryChecker implements Checker {
  readonly name = "operation-memory";
  private readonly callers = new Map<string, Caller>();

  afterCommit(commit: Commit): void {
    const { command, operation, revision } = commit;
    const space = spaceOfCommit(commit);
    // Renewals are not remembered: they have their own order.
    if (space === CONTROLLERS || command === "lease") return;
    const caller = this.callers.get(space);
    if (caller !== undefined) caller.count += 1;
    else this.callers.set(space, { first: operation, since: revision, count: 1 });
  }

  sampled(truth: Truth, report: Report): void {
    const part = Math.floor(OPERATION_LIMITS.callerOperationsAfterCut.value / this.callers.size);
    for (const { name, isLeading, ledger } of truth.planes()) {
      if (!isLeading) continue;
      for (const [space, { first, since, count }] of this.callers) {
        if (count > part || ledger.revision < since) continue;
        if (ledger.operations.of(space, first) !== undefined) continue;
        const of = `${first}, the first of ${count} operations of ${space}`;
        report("OP3", `${name} has forgotten ${of}; ${part} are the part of each.`);
      }
    }
  }
}

export const createOperationMemoryChecker = (): Checker => new OperationMemoryChecker();
