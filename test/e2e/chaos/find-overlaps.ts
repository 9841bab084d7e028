/**
 * The one question that chaos is about: did two processes ever own the same thing at the same time? It knows nothing of
 * planes, leases or stages; it sees only who said when that it was alive, all on one clock.
 */

/** One process and one thing that it owned alone for as long as it lived: its index, or a device. */
export interface Ownership {
  readonly thing: string;
  readonly owner: string;
  /** The first and the last time it said that it was alive. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A sentence for every pair; two who share no more than a moment's edge do not overlap. */
export function findOverlaps(ownerships: readonly Ownership[]): readonly string[] {
  const found: string[] = [];
  const inOrder = ownerships.toSorted(
    (a, b) => compare(a.thing, b.thing) || a.fromMs - b.fromMs || a.toMs - b.toMs,
  );
  for (const [at, later] of inOrder.entries()) {
    // Against everybody before it, not only the last: one may outlive several who came after it.
    for (const earlier of inOrder.slice(0, at)) {
      if (earlier.thing !== later.thing || later.fromMs >= earlier.toMs) continue;
      found.push(sentence(earlier, later));
    }
  }
  return found;
}

function sentence(earlier: Ownership, later: Ownership): string {
  const togetherMs = Math.min(earlier.toMs, later.toMs) - later.fromMs;
  return `${later.thing} had two owners for ${togetherMs} ms: ${earlier.owner} (${span(earlier)}) and ${later.owner} (${span(later)})`;
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const span = ({ fromMs, toMs }: Ownership): string => `${fromMs} to ${toMs}`;
