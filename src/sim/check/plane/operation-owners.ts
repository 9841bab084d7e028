/**
 * [INV181] A sender that hears that its operation had its effect hears of its own effect, and no
 * honest sender is refused because another has used its operation id.
 *
 * It would break if all operation ids were one space: ids can be guessed, and a sender that hears
 * of another's effect believes that its own intent is done. Every agent and every user owns its
 * operations; the controllers of the plane are one owner, because two schedulers must meet the same
 * first outcome.
 */
import type { Outcome, Reply } from "../../../core/protocol/outcome.ts";
import type { Request } from "../../../core/kernel/component.ts";
import type { Actor } from "../../../core/model/actor.ts";
import type { OperationId, Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

class OperationOwnersChecker implements Checker {
  readonly name = "operation-owners";
  /** Sender and operation → the name that it was sent under. */
  private readonly senders = new Map<string, string>();
  /** Hostile sender → the name that it sends under. */
  private readonly hostile = new Map<string, string>();

  requested(
    from: string,
    operation: OperationId,
    _attempt: number,
    _truth: Truth,
    _report: Report,
    request: Request,
  ): void {
    if (request.kind !== "command") return;
    this.senders.set(`${from} ${operation}`, ownerOf(request.command.actor));
  }

  attacked(from: string, request: Request): void {
    if (request.kind === "command") this.hostile.set(from, ownerOf(request.command.actor));
  }

  replied(to: string, operation: OperationId, reply: Reply, truth: Truth, report: Report): void {
    const owner = this.senders.get(`${to} ${operation}`);
    if (owner === undefined) return;
    this.checkTold({ to, operation, owner }, reply, truth, report);
    if (reply.kind === "outcome" && isReused(reply.outcome)) {
      const other = truth.commits.find((commit) => commit.operation === operation);
      if (other !== undefined && ownerOf(other.actor) === owner) return;
      const by = other === undefined ? "somebody" : other.actor.name;
      report("INV181", `${operation} of ${to} was refused: ${by} had used its operation id.`);
    }
  }

  attackAnswered(
    to: string,
    operation: OperationId,
    reply: Reply,
    truth: Truth,
    report: Report,
  ): void {
    const owner = this.hostile.get(to) ?? to;
    this.checkTold({ to, operation, owner }, reply, truth, report);
  }

  private checkTold(
    { to, operation, owner }: { to: string; operation: OperationId; owner: string },
    reply: Reply,
    { commits }: Truth,
    report: Report,
  ): void {
    const revision = toldOf(reply);
    if (revision === undefined) return;
    const commit = commits[revision - (commits[0]?.revision ?? 1)];
    if (commit === undefined || ownerOf(commit.actor) === owner) return;
    const of = `${commit.command} of ${commit.actor.name} at revision ${revision}`;
    report("INV181", `${to} asked about ${operation} and was told of the ${of}.`);
  }
}

function ownerOf({ role, name }: Actor): string {
  if (role === "agent") return name;
  return role === "user" ? `user ${name}` : "plane";
}

const isReused = (outcome: Outcome): boolean =>
  "code" in outcome && outcome.code === "operation-reused";

function toldOf(reply: Reply): Revision | undefined {
  if (reply.kind === "found") return reply.first.revision;
  const isDuplicate = reply.kind === "outcome" && reply.outcome.kind === "duplicate";
  return isDuplicate ? reply.outcome.first.revision : undefined;
}

export const createOperationOwnersChecker = (): Checker => new OperationOwnersChecker();
