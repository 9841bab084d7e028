/**
 * The operations one runner has under way: which call carries which, how often each was tried, and which
 * calls are overdue. It decides nothing; it remembers.
 */
import type { Intent } from "../commit/command.ts";
import type { ObjectKey, OperationId } from "../model/ids.ts";
import { OPERATION_ATTEMPTS, OPERATION_DEADLINE_MS, REPLY_TIMEOUT_MS } from "./limits.ts";

export interface Call {
  readonly key: ObjectKey;
  readonly intent: Intent;
  readonly phase: "command" | "lookup";
  readonly overdueMs: number;
}

interface Tries {
  attempts: number;
  readonly giveUpMs: number;
}

export class Operations {
  /** In order of sending, and every call waits equally long: the first is always the next overdue. */
  private readonly calls = new Map<number, Call>();
  private readonly tries = new Map<ObjectKey, Map<OperationId, Tries>>();
  private lastCall = 0;

  takeCall(): number {
    this.lastCall += 1;
    return this.lastCall;
  }

  /** Counts an attempt; false when the operation has had all the tries or all the time it gets (RN3). */
  spend(key: ObjectKey, operation: OperationId, nowMs: number): boolean {
    const ofKey = this.tries.get(key) ?? new Map<OperationId, Tries>();
    this.tries.set(key, ofKey);
    const tried = ofKey.get(operation) ?? { attempts: 0, giveUpMs: nowMs + OPERATION_DEADLINE_MS };
    ofKey.set(operation, tried);
    if (tried.attempts >= OPERATION_ATTEMPTS || nowMs >= tried.giveUpMs) return false;
    tried.attempts += 1;
    return true;
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
    return id;
  }

  /** Takes the call off the books; undefined when it was given up before. */
  close(id: number): Call | undefined {
    const call = this.calls.get(id);
    if (call !== undefined) this.calls.delete(id);
    return call;
  }

  closeOverdue(nowMs: number): readonly Call[] {
    const overdue: Call[] = [];
    for (const [id, call] of this.calls) {
      if (call.overdueMs > nowMs) break;
      this.calls.delete(id);
      overdue.push(call);
    }
    return overdue;
  }

  nextOverdueMs(): number {
    for (const call of this.calls.values()) return call.overdueMs;
    return Number.POSITIVE_INFINITY;
  }
}
