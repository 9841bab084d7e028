/** The last word of each controller about each key, bounded: what `explain` reads first. */
import type { DecisionRecord } from "../core/decision.ts";
import type { ObjectKey } from "../core/model/ids.ts";

/** More keys than a large plane has unsettled at once; settled ones are forgotten first to come. */
const KEYS_KEPT = 100_000;

export class DecisionLog {
  private readonly byKey = new Map<ObjectKey, Map<string, DecisionRecord>>();
  private readonly listeners = new Set<(record: DecisionRecord) => void>();

  /** Called with every decision when it is taken; returns how to stop. */
  onAdd(listener: (record: DecisionRecord) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
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
