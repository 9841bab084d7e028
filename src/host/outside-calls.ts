/**
 * Calls from outside the plane (HTTP, tests) and the promises they wait on. A call whose batch had
 * an unknown outcome is not left hanging: once the log is ours again, its operation is looked up
 * and answered.
 */
import { assert } from "../core/model/assert.ts";
import type { Ledger } from "../core/commit/ledger.ts";
import { operationSpace } from "../core/protocol/operation-space.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import type { Request } from "../core/kernel/component.ts";
import type { Actor } from "../core/model/actor.ts";
import type { OperationId } from "../core/model/ids.ts";

interface Waiting {
  readonly operation: OperationId;
  readonly actor: Actor;
  readonly isCommand: boolean;
  readonly answer: (reply: Reply) => void;
  isOrphan: boolean;
}

export class OutsideCalls {
  /** No component may have this name. */
  static readonly SENDER = "(outside)";
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  open(request: Request): { readonly call: number; readonly reply: Promise<Reply> } {
    this.last += 1;
    const call = this.last;
    const isCommand = request.kind === "command";
    const operation = isCommand ? request.command.intent.operation : request.operation;
    const actor = isCommand ? request.command.actor : request.actor;
    assert(actor !== undefined, `A look-up of ${operation} does not say whose it is.`);
    const reply = new Promise<Reply>((answer) => {
      this.waiting.set(call, { operation, actor, isCommand, answer, isOrphan: false });
    });
    return { call, reply };
  }

  answer(call: number, reply: Reply): void {
    const waiting = this.waiting.get(call);
    if (waiting === undefined) return;
    this.waiting.delete(call);
    waiting.answer(waiting.isOrphan && waiting.isCommand ? settled(reply) : reply);
  }

  /** The authority has dropped its batch: these get no answer by themselves. */
  orphanAll(): void {
    for (const waiting of this.waiting.values()) waiting.isOrphan = true;
  }

  orphans(): readonly {
    readonly call: number;
    readonly operation: OperationId;
    readonly actor: Actor;
  }[] {
    return [...this.waiting]
      .filter(([, { isOrphan }]) => isOrphan)
      .map(([call, { operation, actor }]) => ({ call, operation, actor }));
  }

  /**
   * A later leadership has begun in this ledger, so nothing of the earlier one can land any more:
   * commands whose answers were lost are answered by what it knows. Of look-ups it says nothing:
   * the leader may have heard more.
   */
  settleBy(ledger: Ledger): void {
    for (const { call, operation, actor } of this.orphans()) {
      const known = ledger.operations.of(operationSpace(actor), operation);
      const isCommand = this.waiting.get(call)?.isCommand === true;
      if (known === undefined || !isCommand) this.answer(call, { kind: "unavailable" });
      else {
        const first = { kind: "committed", revision: known.revision } as const;
        this.answer(call, { kind: "outcome", outcome: first, epoch: ledger.epoch });
      }
    }
  }

  abandon(): void {
    for (const { answer } of this.waiting.values()) answer({ kind: "unavailable" });
    this.waiting.clear();
  }
}

/**
 * What the log says of a command whose answer was lost: it happened, or it did not and never will.
 */
function settled(reply: Reply): Reply {
  if (reply.kind === "found") return { kind: "outcome", outcome: reply.first, epoch: reply.epoch };
  return reply.kind === "not-found" ? { kind: "unavailable" } : reply;
}
