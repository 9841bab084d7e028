/**
 * [INV60] Whoever gets no answer is not sent the same again and again: in any ten seconds the retries of one
 * sender are a few, and beyond that one in ten of what it sends for the first time and two for each answer it
 * gets. One operation is sent three dozen times in that time at most, whatever it is answered.
 *
 * It would break if each key and each operation minded only its own attempts: a thousand of them that back off
 * politely, each for itself, are still a thousand requests to somebody who cannot keep up with any.
 *
 * What counts as a retry is worked out here from messages alone: a command under an operation that was sent
 * before and of which nothing was heard since.
 */
import type { Reply } from "../../core/commit/outcome.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { OperationId } from "../../core/model/ids.ts";
import type { Checker, Report, Truth } from "./checker.ts";

const WINDOW_MS = 10_000;

/** Written out, not imported: ten at once and one a second, on a clock that may run one part in a hundred fast. */
const ALONE = 10 + 11;
/** The same for all controllers of one process together: twenty at once and two a second. */
const TOGETHER = 20 + 21;
const FIRST_PER_RETRY = 10;
const RETRIES_PER_ANSWER = 2;

/** Six attempts, and six more each time something about its key has changed: that is seldom more than every two seconds. */
const PER_OPERATION = 36;

class Sender {
  readonly unheard = new Set<OperationId>();
  readonly operations = new Map<OperationId, number[]>();
  readonly retries: number[] = [];
  readonly firsts: number[] = [];
  readonly answers: number[] = [];

  mayHaveSent(base: number): number {
    return (
      base +
      Math.ceil(this.firsts.length / FIRST_PER_RETRY) +
      RETRIES_PER_ANSWER * this.answers.length
    );
  }

  forgetBefore(ms: number): void {
    for (const times of [this.retries, this.firsts, this.answers]) dropBefore(times, ms);
  }

  /** How often it was sent within the window, this time included. */
  count(operation: OperationId, nowMs: number): number {
    const times = this.operations.get(operation) ?? [];
    dropBefore(times, nowMs - WINDOW_MS);
    this.operations.set(operation, times);
    return times.push(nowMs);
  }
}

function dropBefore(times: number[], ms: number): void {
  while ((times[0] ?? ms) < ms) times.shift();
}

class AmplificationChecker implements Checker {
  readonly name = "amplification";
  /** By component, then by the name that a command is signed with; the component's own name stands for all. */
  private readonly senders = new Map<string, Map<string, Sender>>();

  requested(
    from: string,
    operation: OperationId,
    _attempt: number,
    { nowMs }: Truth,
    report: Report,
    request: Request,
  ): void {
    // People look before they try again, and a renewal is a new operation each time.
    if (from === "user" || request.kind === "lookup") return;
    const { intent, actor } = request.command;
    if (intent.kind === "lease") return;
    this.sent(from, actor.name, { operation, base: ALONE, nowMs }, report);
    if (from !== actor.name) this.sent(from, from, { operation, base: TOGETHER, nowMs }, report);
  }

  private sent(
    from: string,
    name: string,
    of: { readonly operation: OperationId; readonly base: number; readonly nowMs: number },
    report: Report,
  ): void {
    const { operation, base, nowMs } = of;
    const sender = this.senderOf(from, name);
    sender.forgetBefore(nowMs - WINDOW_MS);
    const isRetry = sender.unheard.has(operation);
    sender.unheard.add(operation);
    (isRetry ? sender.retries : sender.firsts).push(nowMs);
    const most = sender.mayHaveSent(base);
    if (sender.retries.length > most) {
      report(
        "INV60",
        `${name} sent ${sender.retries.length} retries within ${WINDOW_MS} ms, the last ${operation}; with ${sender.firsts.length} first attempts and ${sender.answers.length} answers, ${most} were due at most.`,
      );
    }
    const times = sender.count(operation, nowMs);
    if (times > PER_OPERATION) {
      report("INV60", `${name} sent ${operation} ${times} times within ${WINDOW_MS} ms.`);
    }
  }

  replied(to: string, operation: OperationId, reply: Reply, { nowMs }: Truth): void {
    if (reply.kind === "unavailable") return;
    for (const sender of this.senders.get(to)?.values() ?? []) {
      sender.unheard.delete(operation);
      sender.answers.push(nowMs);
    }
  }

  /** What it had sent is forgotten, and so is what it may send. */
  clientStopped(component: string): void {
    this.senders.delete(component);
  }

  private senderOf(from: string, name: string): Sender {
    let ofComponent = this.senders.get(from);
    if (ofComponent === undefined) {
      ofComponent = new Map();
      this.senders.set(from, ofComponent);
    }
    let sender = ofComponent.get(name);
    if (sender === undefined) {
      sender = new Sender();
      ofComponent.set(name, sender);
    }
    return sender;
  }
}

export const createAmplificationChecker = (): Checker => new AmplificationChecker();
