/**
 * The last word of each controller about each key, bounded: what `explain` reads first. And which
 * of those words still hold: what is owed about a key at this moment.
 */
import type { DecisionRecord } from "../core/protocol/decision.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import type { Owed } from "../core/runner/runner.ts";

export type OwedBy = Owed & { readonly controller: string };

/** More keys than a large plane has unsettled at once; settled ones are forgotten first to come. */
const KEYS_KEPT = 100_000;

export class DecisionLog {
  private readonly byKey = new Map<ObjectKey, Map<string, DecisionRecord>>();
  private readonly listeners = new Set<(record: DecisionRecord) => void>();
  private readonly owedListeners = new Set<(controller: string, key: ObjectKey) => void>();
  /**
   * What each controller owes the key at this moment; the owner of the controllers says how to
   * look.
   */
  owedAbout: (key: ObjectKey) => readonly OwedBy[] = () => [];

  /** Called with every decision when it is taken; returns how to stop. */
  onAdd(listener: (record: DecisionRecord) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * Called with every wait that begins, changes or ends, in the middle of a turn: note it and look
   * later. Returns how to stop. Not every end of a wait is a decision: a controller that finds
   * nothing to do says nothing.
   */
  onOwed(listener: (controller: string, key: ObjectKey) => void): () => void {
    this.owedListeners.add(listener);
    return () => void this.owedListeners.delete(listener);
  }

  owedMoved(controller: string, key: ObjectKey): void {
    for (const listener of this.owedListeners) listener(controller, key);
  }

  add(record: DecisionRecord): void {
    for (const listener of this.listeners) listener(record);
    const known = this.byKey.get(record.key) ?? new Map<string, DecisionRecord>();
    known.set(record.controller, record);
    // Taken out and put back, so that the map's order is that of the last word.
    this.byKey.delete(record.key);
    this.byKey.set(record.key, known);
    if (this.byKey.size <= KEYS_KEPT) return;
    const oldest = this.byKey.keys().next().value;
    if (oldest !== undefined) this.byKey.delete(oldest);
  }

  about(key: ObjectKey): readonly DecisionRecord[] {
    return [...(this.byKey.get(key)?.values() ?? [])].toSorted((a, b) => a.atMs - b.atMs);
  }
}
