/**
 * Nodes whose victims have to be chosen anew, in the order in which something moved there. Readers
 * keep their own place in the list; one that is too far behind begins afresh.
 */
import { roomOf } from "../../model/reservation.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { workloadMeant } from "../../model/override.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { disruptionsLeft } from "../../rules/disruption.ts";
import { isAvailable } from "../../model/availability.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { VICTIMS_PER_PREEMPTION } from "../../model/preemption.ts";

/**
 * A reader further behind looks at every node anew, which costs it no more than reading that many
 * moves.
 */
const MOVES_KEPT = 1 << 14;

export class MovedNodes {
  private readonly objects: ObjectIndex;
  private readonly names: string[] = [];
  /** How many moves were dropped from the front. */
  private dropped = 0;
  /**
   * Workloads that bound what may be taken from them, and how much was left when it was last asked.
   */
  private readonly left = new Map<ObjectKey, number>();
  private readonly uncertain = new Set<ObjectKey>();

  constructor(objects: ObjectIndex) {
    this.objects = objects;
  }

  get count(): number {
    return this.dropped + this.names.length;
  }

  remembers(at: number): boolean {
    return at >= this.dropped;
  }

  name(at: number): string {
    return this.names[at - this.dropped] ?? "";
  }

  follow({ before, after }: Change): void {
    const some = after ?? before;
    if (some?.kind === "Node") this.add(some.meta.name);
    if (some?.kind === "Reservation") this.add(roomOf(some.spec)?.node);
    if (some?.kind === "Workload") this.workloadMoved(before, after);
    const raised = some?.kind === "Override" ? workloadMeant(some.spec.target) : undefined;
    if (raised !== undefined) this.uncertain.add(raised);
    if (some?.kind !== "Replica") return;
    const was = before?.kind === "Replica" ? before : undefined;
    const is = after?.kind === "Replica" ? after : undefined;
    this.add(was?.status.node);
    if (is?.status.node !== was?.status.node) this.add(is?.status.node);
    const couldServe = was !== undefined && isAvailable(was);
    const canServe = is !== undefined && isAvailable(is);
    if (couldServe !== canServe) this.uncertain.add(workloadOf(some));
  }

  /**
   * Takes in what workloads can spare now. True when some can spare more than when it was last
   * asked.
   */
  settleBudgets(): boolean {
    let hasMore = false;
    for (const workload of this.uncertain) {
      const was = this.left.get(workload);
      const is = Math.min(disruptionsLeft(this.objects, workload), VICTIMS_PER_PREEMPTION);
      if (is === was) continue;
      this.left.set(workload, is);
      if (is > (was ?? 0)) hasMore = true;
      // Without a bound nothing was ever in the way.
      if (this.objects.workload(workload)?.spec.disruption === undefined) continue;
      for (const { status } of this.objects.replicasOf(workload).values()) this.add(status.node);
    }
    this.uncertain.clear();
    return hasMore;
  }

  /**
   * How much may be taken from it, or of how many, has changed; for most there is no bound and was
   * none.
   */
  private workloadMoved(before: Change["before"], after: Change["after"]): void {
    for (const workload of [before, after]) {
      if (workload?.kind !== "Workload" || workload.spec.disruption === undefined) continue;
      this.left.delete(workload.key);
      for (const { status } of this.objects.replicasOf(workload.key).values()) {
        this.add(status.node);
      }
    }
  }

  private add(node: string | undefined): void {
    if (node === undefined) return;
    this.names.push(node);
    if (this.names.length < 2 * MOVES_KEPT) return;
    this.names.splice(0, MOVES_KEPT);
    this.dropped += MOVES_KEPT;
  }
}
