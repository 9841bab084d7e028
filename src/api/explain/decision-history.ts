/**
 * What controllers concluded lately about each key, and not only last: every wait with how often it
 * was said again, every proposal, and what the authority refused. Bounded by what it holds, not by
 * time.
 */
import type { Refusal } from "../../core/protocol/outcome.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { ObjectKey, OperationId } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { weightOf } from "../../core/runner/operations.ts";

export interface KeptDecision {
  /** The last of those that said the same. */
  readonly record: DecisionRecord;
  readonly sinceMs: number;
  readonly times: number;
}

export interface Refused {
  readonly times: number;
  readonly last: Refusal;
}

/**
 * Indexes and bindings of all decisions that are kept, at some two hundred bytes each: twenty
 * megabytes, and the last word on every replica of a fleet of a hundred thousand.
 */
const WEIGHT_KEPT = 100_000;
/**
 * A key that fails again and again says the same; more than these would only push out what others
 * said.
 */
const KEPT_PER_KEY = 16;
/**
 * Refusals are rare; these are those of the last minutes of a fleet that fights over its last room.
 */
const REFUSED_KEPT = 4_096;

export class DecisionHistory {
  private readonly byKey = new Map<ObjectKey, KeptDecision[]>();
  /** In the order in which they were first said. */
  private readonly order = new Set<KeptDecision>();
  private readonly refused = new Map<OperationId, Refused>();
  private weight = 0;
  private readonly kept: number;

  constructor(kept = WEIGHT_KEPT) {
    this.kept = kept;
  }

  /** Listens to a plane; returns how to stop. */
  listen({ decisions, meter }: Pick<PlanePort, "decisions" | "meter">): () => void {
    const stops = [
      decisions.onAdd((record) => this.add(record)),
      meter.onAnswer((request, reply) => {
        if (request.kind !== "command" || reply.kind !== "outcome") return;
        const { outcome } = reply;
        if ("code" in outcome) this.refuse(request.command.intent.operation, outcome);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  add(record: DecisionRecord): void {
    const of = this.byKey.get(record.key) ?? [];
    this.byKey.set(record.key, of);
    const at = of.findLastIndex((kept) => kept.record.controller === record.controller);
    const last = of[at];
    if (last !== undefined && saysTheSame(last.record, record)) {
      const again = { record, sinceMs: last.sinceMs, times: last.times + 1 };
      of[at] = again;
      this.order.delete(last);
      this.order.add(again);
      return;
    }
    const first = { record, sinceMs: record.atMs, times: 1 };
    of.push(first);
    this.order.add(first);
    this.weight += sizeOf(record);
    const surplus = of.length > KEPT_PER_KEY ? of[0] : undefined;
    if (surplus !== undefined) this.forget(surplus);
    for (const oldest of this.order) {
      if (this.weight <= this.kept) break;
      this.forget(oldest);
    }
  }

  private forget(kept: KeptDecision): void {
    const { key } = kept.record;
    const left = (this.byKey.get(key) ?? []).filter((each) => each !== kept);
    if (left.length === 0) this.byKey.delete(key);
    else this.byKey.set(key, left);
    this.order.delete(kept);
    this.weight -= sizeOf(kept.record);
  }

  private refuse(operation: OperationId, last: Refusal): void {
    const times = (this.refused.get(operation)?.times ?? 0) + 1;
    this.refused.delete(operation);
    this.refused.set(operation, { times, last });
    if (this.refused.size <= REFUSED_KEPT) return;
    const oldest = this.refused.keys().next().value;
    if (oldest !== undefined) this.refused.delete(oldest);
  }

  /** Oldest first. */
  about(key: ObjectKey): readonly KeptDecision[] {
    return this.byKey.get(key) ?? [];
  }

  refusalsOf(operation: OperationId): Refused | undefined {
    return this.refused.get(operation);
  }
}

function saysTheSame(a: DecisionRecord, b: DecisionRecord): boolean {
  const [was, is] = [a.decision, b.decision];
  if (was.kind !== "wait" || is.kind !== "wait") return false;
  return was.reason === is.reason && was.because.summary === is.because.summary;
}

function sizeOf({ decision }: DecisionRecord): number {
  if (decision.kind !== "propose") return 1;
  return decision.intents.reduce((sum, intent) => sum + weightOf(intent), 0);
}
