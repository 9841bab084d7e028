/**
 * The smallest log that can do what a real one does to an authority: take a batch, take it and lose the
 * answer, lose the batch, take it later than anyone expects, and refuse whoever was deposed.
 */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { Epoch } from "../../src/core/model/ids.ts";

export interface Batch {
  readonly epoch: Epoch;
  readonly commits: readonly Commit[];
}

export const FATES = ["durable", "landed-unknown", "lost-unknown", "late-unknown"] as const;
export type Fate = (typeof FATES)[number];

export class TinyStore {
  readonly log: Commit[] = [];
  private newest: Epoch = 0;
  private readonly adrift: Batch[] = [];

  claim(): { readonly epoch: Epoch; readonly commits: readonly Commit[] } {
    this.newest += 1;
    return { epoch: this.newest, commits: [...this.log] };
  }

  append(batch: Batch, fate: Fate): "durable" | "unknown" | "fenced" {
    if (batch.epoch !== this.newest) return "fenced";
    if (fate === "late-unknown") this.adrift.push(batch);
    if (fate === "durable" || fate === "landed-unknown") this.log.push(...batch.commits);
    return fate === "durable" ? "durable" : "unknown";
  }

  /** A batch that nobody waits for any more, as after a crash of its sender. */
  setAdrift(batch: Batch): void {
    this.adrift.push(batch);
  }

  /** A batch on its way arrives, and is refused when its leadership has ended meanwhile (EP3). */
  arrive(): void {
    const batch = this.adrift.shift();
    if (batch !== undefined && batch.epoch === this.newest) this.log.push(...batch.commits);
  }
}
