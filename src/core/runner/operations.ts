/**
 * The operations one runner has under way: which call carries which, how often each was tried, and
 * which calls are overdue. It decides nothing; it remembers.
 */
import type { Intent } from "../protocol/command.ts";
import type { ObjectKey, OperationId, Revision } from "../model/ids.ts";
import type { RetryTerms } from "../model/policy.ts";
import {
  MOST_UNDER_WAY,
  OPERATION_ATTEMPTS,
  OPERATION_DEADLINE_MS,
  REPLY_TIMEOUT_MS,
  WORK_PER_TURN,
} from "./limits.ts";

export interface Call {
  readonly key: ObjectKey;
  readonly intent: Intent;
  readonly phase: "command" | "lookup";
  /** The revision of the view that the command was decided on. */
  readonly basis: Revision;
  readonly overdueMs: number;
}

/** What is said of an operation that had its effect earlier, and as of when. */
export interface Found {
  readonly first: { readonly revision: Revision };
  readonly asOf: Revision;
}

interface Tries {
  attempts: number;
  giveUpMs: number;
  /** The last try had no answer: the next is a retry, however long ago that was. */
  isUnheard: boolean;
}

export class Operations {
  /**
   * In order of sending, and every call waits equally long: the first is always the next overdue.
   */
  private readonly calls = new Map<number, Call>();
  private readonly tries = new Map<ObjectKey, Map<OperationId, Tries>>();
  private readonly terms: () => RetryTerms;
  private lastCall = 0;
  /** In indexes and bindings. */
  underWay = 0;

  /** How often each may be tried is asked when one is to be tried again. */
  constructor(terms: () => RetryTerms = () => ({})) {
    this.terms = terms;
  }

  /**
   * Enough is under way for now (RN10). While it is, some call is, whose answer or time-out brings
   * the next turn.
   */
  get isFull(): boolean {
    return this.underWay >= MOST_UNDER_WAY;
  }

  /**
   * Whether a turn that began with so much under way has asked for all that it may (RN10, RN11).
   */
  isEnough(before: number): boolean {
    return this.isFull || this.underWay - before >= WORK_PER_TURN;
  }

  takeCall(): number {
    this.lastCall += 1;
    return this.lastCall;
  }

  /** Whether the operation has had all the tries or all the time it gets (RN3). */
  isSpent(key: ObjectKey, operation: OperationId, nowMs: number): boolean {
    const tried = this.tries.get(key)?.get(operation);
    if (tried === undefined || tried.attempts === 0) return false;
    const { attempts = OPERATION_ATTEMPTS } = this.terms();
    return tried.attempts >= attempts || nowMs >= tried.giveUpMs;
  }

  /** Counts an attempt; time counts from the first. */
  spend(key: ObjectKey, operation: OperationId, nowMs: number): void {
    let ofKey = this.tries.get(key);
    if (ofKey === undefined) {
      ofKey = new Map();
      this.tries.set(key, ofKey);
    }
    const giveUpMs = nowMs + OPERATION_DEADLINE_MS;
    const tried = ofKey.get(operation);
    if (tried === undefined) {
      ofKey.set(operation, { attempts: 1, giveUpMs, isUnheard: false });
      return;
    }
    if (tried.attempts === 0) tried.giveUpMs = giveUpMs;
    tried.attempts += 1;
  }

  isUnheard(key: ObjectKey, operation: OperationId): boolean {
    return this.tries.get(key)?.get(operation)?.isUnheard ?? false;
  }

  heard({ key, intent }: Call, isAnswered: boolean): void {
    const tried = this.tries.get(key)?.get(intent.operation);
    if (tried !== undefined) tried.isUnheard = !isAnswered;
  }

  /** All attempts again, and for unanswered ones still as retries. */
  beginAfresh(key: ObjectKey): void {
    const ofKey = this.tries.get(key);
    if (ofKey === undefined) return;
    for (const [operation, tried] of ofKey) {
      if (tried.isUnheard) tried.attempts = 0;
      else ofKey.delete(operation);
    }
    if (ofKey.size === 0) this.tries.delete(key);
  }

  attempts(key: ObjectKey, operation: OperationId): number {
    return this.tries.get(key)?.get(operation)?.attempts ?? 1;
  }

  succeeded(key: ObjectKey, operation: OperationId): void {
    this.tries.get(key)?.delete(operation);
  }

  forget(key: ObjectKey): void {
    this.tries.delete(key);
  }

  open(call: Omit<Call, "overdueMs">, nowMs: number): number {
    const id = this.takeCall();
    this.calls.set(id, { ...call, overdueMs: nowMs + REPLY_TIMEOUT_MS });
    this.underWay += weightOf(call.intent);
    return id;
  }

  /** Takes the call off the accounts; undefined when it was given up before. */
  close(id: number): Call | undefined {
    const call = this.calls.get(id);
    if (call !== undefined) this.drop(id, call);
    return call;
  }

  closeOverdue(nowMs: number): readonly Call[] {
    const overdue: Call[] = [];
    for (const [id, call] of this.calls) {
      if (call.overdueMs > nowMs) break;
      this.drop(id, call);
      overdue.push(call);
    }
    return overdue;
  }

  private drop(id: number, { intent }: Call): void {
    this.calls.delete(id);
    this.underWay -= weightOf(intent);
  }

  nextOverdueMs(): number {
    for (const call of this.calls.values()) return call.overdueMs;
    return Number.POSITIVE_INFINITY;
  }
}

/** How much work it is for the authority, about. */
export function weightOf(intent: Intent): number {
  if (intent.kind === "bind-all") return intent.bindings.length;
  return intent.kind === "enqueue" ? intent.indexes.length : 1;
}
