/**
 * Who is owed another look: every waiting key with its reason, the facts that end the wait, and the
 * time at which it is looked at anyway. Nothing is pending outside this ledger.
 */
import type { Fact, WaitReason } from "../protocol/decision.ts";
import type { ObjectKey, Revision } from "../model/ids.ts";
import { DeadlineHeap } from "../observe/deadline-heap.ts";

export interface Owed {
  readonly key: ObjectKey;
  readonly reason: WaitReason;
  readonly wakes: readonly Fact[];
  readonly deadlineMs: number;
  /** The view the wait was decided on. */
  readonly sinceRevision: Revision;
}

const NOBODY: readonly ObjectKey[] = [];

/** Entries that were settled stay in the order for a while; more than this is too many of them. */
const STALE_MOST = 256;

export class OwedLedger {
  private readonly entries = new Map<ObjectKey, Owed>();
  private readonly byFact = new Map<Fact, Set<ObjectKey>>();
  /**
   * How many wait for each reason: somebody counts them every few seconds, however many there are.
   */
  readonly byReason = new Map<WaitReason, number>();
  /**
   * Told of every entry that comes, changes or goes, in the middle of the turn. No decision uses
   * it.
   */
  onMove: ((key: ObjectKey) => void) | undefined;
  /** Never later than the earliest deadline; may be earlier after an entry was settled. */
  private nextMs = Number.POSITIVE_INFINITY;
  /** By their deadlines, with entries that were settled since. */
  private readonly order = new DeadlineHeap<Owed>();
  /** Were due already, and may wait on. */
  private readonly overdue = new Set<Owed>();

  owe(owed: Owed): void {
    this.settle(owed.key);
    this.entries.set(owed.key, owed);
    this.order.push(owed);
    if (this.order.size > 2 * this.entries.size + STALE_MOST) this.order.keep(this.isCurrent);
    this.count(owed.reason, 1);
    for (const fact of owed.wakes) {
      const keys = this.byFact.get(fact);
      if (keys === undefined) this.byFact.set(fact, new Set([owed.key]));
      else keys.add(owed.key);
    }
    if (owed.deadlineMs < this.nextMs) this.nextMs = owed.deadlineMs;
    this.onMove?.(owed.key);
  }

  settle(key: ObjectKey): void {
    const owed = this.entries.get(key);
    if (owed === undefined) return;
    this.entries.delete(key);
    this.count(owed.reason, -1);
    for (const fact of owed.wakes) {
      const keys = this.byFact.get(fact);
      if (keys?.delete(key) && keys.size === 0) this.byFact.delete(fact);
    }
    this.onMove?.(key);
  }

  private count(reason: WaitReason, by: 1 | -1): void {
    const count = (this.byReason.get(reason) ?? 0) + by;
    if (count === 0) this.byReason.delete(reason);
    else this.byReason.set(reason, count);
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  get(key: ObjectKey): Owed | undefined {
    return this.entries.get(key);
  }

  wokenBy(fact: Fact): Iterable<ObjectKey> {
    return this.byFact.get(fact) ?? NOBODY;
  }

  /** Keys whose deadline has come, sorted: the order of arrival must not decide. */
  due(nowMs: number): readonly ObjectKey[] {
    if (nowMs < this.nextMs) return NOBODY;
    for (const owed of this.overdue) if (!this.isCurrent(owed)) this.overdue.delete(owed);
    let first = this.order.first();
    while (first !== undefined && (first.deadlineMs <= nowMs || !this.isCurrent(first))) {
      if (this.isCurrent(first)) this.overdue.add(first);
      this.order.shift();
      first = this.order.first();
    }
    this.nextMs = first?.deadlineMs ?? Number.POSITIVE_INFINITY;
    return [...this.overdue].map(({ key }) => key).toSorted();
  }

  private readonly isCurrent = (owed: Owed): boolean => this.entries.get(owed.key) === owed;

  next(): number {
    return this.nextMs;
  }

  all(): readonly Owed[] {
    return [...this.entries.values()];
  }
}
