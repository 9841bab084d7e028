/**
 * Whose turn it is. Between tenants, the one that has least of what there is comes first: its
 * dominant share, by its weight (QU1). Within a tenant the most important work comes first, then
 * the oldest (QU2).
 *
 * Who finds no place steps aside until every other tenant had one look, and does not block: neither
 * the others, who would wait behind ten thousand that fit nowhere, nor its own tenant's next, who
 * would wait behind all that the others have.
 */
import { AMOUNT_NAMES, type Amounts } from "../../model/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { ImportanceHeap } from "./importance-heap.ts";

/** One workload with replicas to place. */
export interface Waiting {
  readonly key: ObjectKey;
  readonly tenant: string;
  /** Of its priority class; more is more important. */
  readonly priority: number;
  /** When the oldest of its replicas was made. */
  readonly sinceMs: number;
}

export interface Shares {
  /** The tenant's weighted dominant share at this moment; what was just placed counts. */
  of(tenant: string): number;
  /**
   * In how many looks something was found so far. A share need not move by it: it is of what the
   * tenant has most of.
   */
  gifts(): number;
}

/** Parts of the whole that a share is counted in. */
const WHOLE = 1_000_000;

/** The largest part the tenant has of anything there is, divided by its weight. */
export function dominantShare(used: Amounts, total: Amounts, weight: number): number {
  let share = 0;
  for (const name of AMOUNT_NAMES) {
    if (total[name] === 0) continue;
    share = Math.max(share, Math.floor((used[name] * WHOLE) / total[name]));
  }
  return Math.floor(share / Math.max(1, weight));
}

interface Line {
  readonly tenant: string;
  readonly waiting: ImportanceHeap;
  share: number;
  /** Looks it is ahead of those who never had to step aside. */
  round: number;
}

/** Lazy on purpose: what the last one was given counts when the next is chosen. */
export function* fairOrder(waiting: Iterable<Waiting>, shares: Shares): Iterable<ObjectKey> {
  const lines = lineUp(waiting, shares);
  while (lines.length > 0) {
    const line = neediest(lines);
    const next = line.waiting.take();
    if (next !== undefined) {
      const gifts = shares.gifts();
      yield next.key;
      const isEmptyHanded = shares.gifts() === gifts;
      // Only a look at its own work gives a tenant anything.
      line.share = shares.of(line.tenant);
      // While somebody stands aside, every tenant has one look a round.
      if (isEmptyHanded || lines.some(({ round }) => round > line.round)) line.round += 1;
    }
    if (line.waiting.size === 0) lines.splice(lines.indexOf(line), 1);
  }
}

function lineUp(waiting: Iterable<Waiting>, shares: Shares): Line[] {
  const lines = new Map<string, Line>();
  for (const each of waiting) {
    const { tenant } = each;
    let line = lines.get(tenant);
    if (line === undefined) {
      line = { tenant, waiting: new ImportanceHeap(), share: shares.of(tenant), round: 0 };
      lines.set(tenant, line);
    }
    line.waiting.add(each);
  }
  return [...lines.values()].toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1));
}

function neediest(lines: readonly Line[]): Line {
  let best = lines[0] as Line;
  for (const line of lines) {
    if (line.round > best.round) continue;
    if (line.round < best.round || line.share < best.share) best = line;
  }
  return best;
}
