/**
 * When something was last on a node of a pool, by the clock of the authority that committed it:
 * what the time in which a node was idle is counted from (PN6). Of an earlier leadership's clock
 * nothing is known, so a new one counts from its own beginning. Planes without pools note nothing.
 */
import { roomOf } from "../model/reservation.ts";
import type { PoolUsedAt } from "../protocol/snapshot.ts";
import type { AnyObject } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { Commit } from "../protocol/commit-record.ts";

export class PoolUse {
  private readonly times = new Map<string, number>();

  /** Only of commits that are in the log, and before they are folded into `objects`. */
  fold({ command, atMs, changes }: Commit, objects: ObjectIndex): void {
    if (command === "lead") this.times.clear();
    // Renewals are most of all commits, and put nothing on a node.
    if (command === "lease" || objects.all("NodePool").size === 0) return;
    for (const { before, after } of changes) {
      if (before?.kind === "Node" && after === undefined) this.times.delete(before.meta.name);
      for (const some of [before, after]) this.note(placeOf(some), atMs, objects);
    }
  }

  /** Undefined: nothing was there since the leadership began. */
  lastMs(node: string): number | undefined {
    return this.times.get(node);
  }

  all(): readonly PoolUsedAt[] {
    return [...this.times].map(([node, atMs]) => ({ node, atMs }));
  }

  restore(used: readonly PoolUsedAt[]): void {
    for (const { node, atMs } of used) this.times.set(node, atMs);
  }

  private note(node: string | undefined, atMs: number, objects: ObjectIndex): void {
    if (node === undefined) return;
    if (objects.nodeNamed(node)?.spec.pool !== undefined) this.times.set(node, atMs);
  }
}

/** The node that a replica or held room is on. */
function placeOf(some: AnyObject | undefined): string | undefined {
  if (some?.kind === "Replica") return some.status.node;
  return some?.kind === "Reservation" ? roomOf(some.spec)?.node : undefined;
}
