/**
 * [INV60] A sender without an answer does not send the same again and again: in any ten seconds it
 * has a few free retries, beyond them one for ten first sends and two for each answer. One
 * operation is sent six times, and six times more for a resync and for each commit of that time,
 * regardless of the answers.
 *
 * It would break if each key and each operation limited only its own attempts: a thousand keys that
 * each back off politely are still a thousand requests to an overloaded plane.
 *
 * This checker finds retries from messages alone: a command under an operation that was sent before
 * and has no answer since.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Request } from "../../../core/kernel/component.ts";
import type { OperationId } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";

const WINDOW_MS = 10_000;

/**
 * Written out, not imported: ten at once and one a second, on a clock that may run one part in a
 * hundred fast.
 */
const ALONE = 10 + 11;
/** The same for all controllers of one process together: twenty at once and two a second. */
const TOGETHER = 20 + 21;
const FIRST_PER_RETRY = 10;
const RETRIES_PER_ANSWER = 2;

/**
 * Written out, not imported: an operation has six attempts. They take at least a second and a half,
 * since the pauses between them double from 50 ms on. More attempts need news: a resync, of which
 * no two are in one window, or a change, and every change is a commit.
 */
const ATTEMPTS = 6;
const SERIES_WITHOUT_NEWS = 2;

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
  /**
   * By component, then by the name that signs a command; the component's own name stands for all.
   */
  private readonly senders = new Map<string, Map<string, Sender>>();
  /** The changes within the window with their times; for a renewal, the node of its lease. */
  private readonly news: { readonly atMs: number; readonly lease: string | undefined }[] = [];

  afterCommit(commit: Commit, { nowMs }: Truth): void {
    const after = isRenewal(commit) ? commit.changes[0]?.after : undefined;
    const { news } = this;
    news.push({ atMs: nowMs, lease: after?.meta.name });
    while ((news[0]?.atMs ?? nowMs) < nowMs - WINDOW_MS) news.shift();
  }

  requested(
    from: string,
    operation: OperationId,
    _attempt: number,
    { nowMs }: Truth,
    report: Report,
    request: Request,
  ): void {
    // People look before they try again, and each renewal is a new operation.
    if (from === "user" || request.kind === "lookup") return;
    const { intent, actor } = request.command;
    if (intent.kind === "lease") return;
    const own = this.senderOf(from, actor.name);
    // Another controller of the process may use the same operation: that is no retry of this one.
    const isRetry = own.unheard.has(operation);
    own.unheard.add(operation);
    const of = { operation, isRetry, nowMs };
    sent(own, actor.name, { ...of, base: ALONE }, report);
    if (from !== actor.name)
      sent(this.senderOf(from, from), from, { ...of, base: TOGETHER }, report);
    const times = own.count(operation, nowMs);
    const overMost = Math.ceil(times / ATTEMPTS) - SERIES_WITHOUT_NEWS;
    if (overMost > 0 && overMost > this.newsFor(operation, nowMs)) {
      report("INV60", `${actor.name} sent ${operation} ${times} times within ${WINDOW_MS} ms.`);
    }
  }

  /** A renewal is news only for operations that concern its node. */
  private newsFor(operation: OperationId, nowMs: number): number {
    const isAbout = (lease: string | undefined): boolean =>
      lease === undefined || operation.includes(`/${lease}/`);
    return this.news.filter(({ atMs, lease }) => atMs >= nowMs - WINDOW_MS && isAbout(lease))
      .length;
  }

  replied(to: string, operation: OperationId, reply: Reply, { nowMs }: Truth): void {
    if (reply.kind === "unavailable") return;
    for (const sender of this.senders.get(to)?.values() ?? []) {
      sender.unheard.delete(operation);
      sender.answers.push(nowMs);
    }
  }

  /** A restart clears the sent operations, and the retries the sender has left. */
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

function sent(
  sender: Sender,
  name: string,
  of: {
    readonly operation: OperationId;
    readonly isRetry: boolean;
    readonly base: number;
    readonly nowMs: number;
  },
  report: Report,
): void {
  const { operation, isRetry, base, nowMs } = of;
  sender.forgetBefore(nowMs - WINDOW_MS);
  (isRetry ? sender.retries : sender.firsts).push(nowMs);
  const most = sender.mayHaveSent(base);
  if (sender.retries.length <= most) return;
  report(
    "INV60",
    `${name} sent ${sender.retries.length} retries within ${WINDOW_MS} ms, the last ${operation}; with ${sender.firsts.length} first attempts and ${sender.answers.length} answers, ${most} were due at most.`,
  );
}

export const createAmplificationChecker = (): Checker => new AmplificationChecker();
