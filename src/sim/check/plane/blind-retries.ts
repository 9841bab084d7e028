/**
 * [INV17] A command is tried again only under the same operation, and only after the first try was
 * answered or its outcome asked for.
 *
 * It would break if a missing answer were taken for a no (or a yes), or if the operation id were
 * derived from the attempt: then a lost reply turns into a second intent, and only luck and the
 * stage rules prevent a second effect.
 */
import type { Intent } from "../../../core/protocol/command.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Request } from "../../../core/kernel/component.ts";
import type { OperationId } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/**
 * Intents that concern one incarnation of a replica: each has one operation id, for all senders and
 * attempts.
 */
function identityOf(intent: Intent): string | undefined {
  switch (intent.kind) {
    case "bind":
    case "reserve":
      return `${intent.kind} ${intent.replica} ${intent.incarnation}`;
    default:
      return undefined;
  }
}

class BlindRetriesChecker implements Checker {
  readonly name = "blind-retries";
  /**
   * Per component, the unanswered operations and the controllers that sent them: controllers that
   * share a component each try for themselves, and an answer to one of them counts for all.
   */
  private readonly unheard = new Map<string, Map<OperationId, Set<string>>>();
  /**
   * Intent → the operation it was first sent under; the id holds the uid, which tells namesakes
   * apart.
   */
  private readonly operations = new Map<string, OperationId>();

  requested(
    from: string,
    operation: OperationId,
    attempt: number,
    _truth: Truth,
    report: Report,
    request: Request,
  ): void {
    // A renewal is never repeated, and a person looks before a retry.
    if (from === "user") return;
    if (request.kind === "lookup") {
      this.unheard.get(from)?.delete(operation);
      return;
    }
    const { intent } = request.command;
    if (intent.kind === "lease") return;
    let unheard = this.unheard.get(from);
    if (unheard === undefined) {
      unheard = new Map();
      this.unheard.set(from, unheard);
    }
    const senders = unheard.get(operation) ?? new Set();
    const { name } = request.command.actor;
    if (senders.has(name)) {
      report(
        "INV17",
        `${name} sent ${operation} again (attempt ${attempt}) without having heard of the try before or asked for its outcome.`,
      );
    }
    senders.add(name);
    unheard.set(operation, senders);
    this.compare(from, operation, intent, report);
  }

  private compare(from: string, operation: OperationId, intent: Intent, report: Report): void {
    const identity = identityOf(intent);
    if (identity === undefined) return;
    const known = this.operations.get(identity);
    this.operations.set(identity, operation);
    if (known === undefined || known === operation || !isSameReplica(known, operation)) return;
    report(
      "INV17",
      `${from} asks to ${identity} as ${operation}; it was asked for as ${known} before.`,
    );
  }

  replied(to: string, operation: OperationId, _reply: Reply): void {
    this.unheard.get(to)?.delete(operation);
  }

  /**
   * A restarted component does not know its earlier commands; the operation id is its only memory.
   */
  clientStopped(component: string): void {
    this.unheard.delete(component);
  }
}

/**
 * Operation ids carry the replica's uid: a re-created replica is another intent under the same
 * name.
 */
function isSameReplica(a: OperationId, b: OperationId): boolean {
  return a.split("/")[4] === b.split("/")[4];
}

export const createBlindRetriesChecker = (): Checker => new BlindRetriesChecker();
