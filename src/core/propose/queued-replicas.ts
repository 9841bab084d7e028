/**
 * The queued replicas of each workload, in the order of their indexes: what a scheduler still has
 * to place. Kept from the changes of its view, so that a look at a workload of half a million
 * indexes does not walk them all.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { View } from "../observe/view.ts";

/** One stay in the queue; the same replica in its next incarnation is another. */
interface Stay {
  readonly key: ObjectKey;
  readonly generation: number;
  readonly index: number;
}

interface Line {
  /** In order; those that left since are skipped. */
  sorted: Stay[];
  /** Everything before it has been passed over for good. */
  head: number;
  /** Those who came since the last look, in no order. */
  fresh: Stay[];
  readonly members: Map<ObjectKey, Stay>;
}

/** So many are put into their places one by one; more are sorted in with all others at once. */
const ONE_BY_ONE = 64;

export class QueuedReplicas {
  private readonly lines = new Map<ObjectKey, Line>();

  follow({ key, before, after }: Change): void {
    const was = before?.kind === "Replica" && before.status.stage === "queued";
    const is = after?.kind === "Replica" && after.status.stage === "queued";
    if (was && !is) this.leave(workloadOf(before), key);
    else if (is && !was) this.join(after);
  }

  workloads(): Iterable<ObjectKey> {
    return this.lines.keys();
  }

  count(workload: ObjectKey): number {
    return this.lines.get(workload)?.members.size ?? 0;
  }

  /**
   * The first `most` of them as the view shows them, newest generation and lowest index first;
   * `before` leaves out that generation and all newer ones.
   */
  first(workload: ObjectKey, most: number, view: View, before?: number): readonly Replica[] {
    const line = this.lines.get(workload);
    if (line === undefined) return [];
    settle(line);
    const found: Replica[] = [];
    const from = before === undefined ? 0 : placeOf(line.sorted, lastOf(before));
    for (let at = Math.max(line.head, from); at < line.sorted.length; at += 1) {
      if (found.length === most) break;
      const stay = line.sorted[at] as Stay;
      if (line.members.get(stay.key) === stay) {
        const replica = view.objects.replica(stay.key);
        if (replica !== undefined) found.push(replica);
      } else if (at === line.head) line.head += 1;
    }
    return found;
  }

  private join(replica: Replica): void {
    const workload = workloadOf(replica);
    let line = this.lines.get(workload);
    if (line === undefined) {
      line = { sorted: [], head: 0, fresh: [], members: new Map() };
      this.lines.set(workload, line);
    }
    if (line.members.has(replica.key)) return;
    const { generation, index } = replica.spec;
    const stay: Stay = { key: replica.key, generation, index };
    line.members.set(replica.key, stay);
    line.fresh.push(stay);
  }

  private leave(workload: ObjectKey, key: ObjectKey): void {
    const line = this.lines.get(workload);
    if (line === undefined) return;
    line.members.delete(key);
    if (line.members.size === 0) this.lines.delete(workload);
  }
}

type Place = Pick<Stay, "generation" | "index">;

/** Comes after all others of its generation. */
const lastOf = (generation: number): Place => ({
  generation,
  index: Number.POSITIVE_INFINITY,
});

const inOrder = (a: Place, b: Place): number => b.generation - a.generation || a.index - b.index;

function settle(line: Line): void {
  const { fresh } = line;
  if (fresh.length === 0) return;
  line.fresh = [];
  const isCluttered = line.sorted.length > 2 * line.members.size + ONE_BY_ONE;
  if (fresh.length > ONE_BY_ONE || isCluttered) {
    line.sorted = [...line.members.values()].toSorted(inOrder);
    line.head = 0;
    return;
  }
  for (const stay of fresh) {
    const at = placeOf(line.sorted, stay);
    line.sorted.splice(at, 0, stay);
    if (at < line.head) line.head = at;
  }
}

/** Before the first that comes after it. */
function placeOf(sorted: readonly Stay[], stay: Place): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (inOrder(sorted[middle] as Stay, stay) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
