/**
 * The room one scheduler has asked for and not yet seen granted or refused. Its view does not show these
 * binds, so without this book it would offer the same room to the next replica of the same turn, and put a
 * whole workload into one zone. It is a courtesy to itself: the authority knows nothing of it.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { addToNode, type NodeUse } from "../observe/usage.ts";
import type { View } from "../observe/view.ts";

export interface PromisedRoom {
  readonly replica: Replica;
  readonly node: string;
  readonly deviceIds: readonly string[];
  readonly notedMs: number;
}

/** A bind is answered and seen well within this; one that was never sent must not hold room for longer. */
const PROMISE_MS = 3_000;

export class Promised {
  private readonly byReplica = new Map<ObjectKey, PromisedRoom>();

  note(room: PromisedRoom): void {
    this.byReplica.set(room.replica.key, room);
  }

  /** The replica is looked at again: whatever was asked for it has been answered. */
  forget(key: ObjectKey): void {
    this.byReplica.delete(key);
  }

  /** Promises the view has caught up with are over, kept or broken. */
  prune(view: View, nowMs: number): void {
    for (const [key, { replica, notedMs }] of this.byReplica) {
      const seen = view.objects.replica(key);
      const isOpen = seen?.status.stage === "queued" && seen.status.life === replica.status.life;
      if (!isOpen || nowMs >= notedMs + PROMISE_MS) this.byReplica.delete(key);
    }
  }

  get isEmpty(): boolean {
    return this.byReplica.size === 0;
  }

  /** What the node holds in the view plus what was promised there; undefined when nothing was. */
  useWith(use: NodeUse, node: string): NodeUse | undefined {
    let sum: NodeUse | undefined;
    for (const promise of this.byReplica.values()) {
      if (promise.node !== node) continue;
      sum ??= { ...use, deviceOwners: new Map(use.deviceOwners) };
      addToNode(sum, promise.replica.spec.template.ask.amounts, 1);
      for (const id of promise.deviceIds) sum.deviceOwners.set(id, promise.replica.key);
    }
    return sum;
  }

  /** The nodes promised to other slots of the same workload and generation, one entry per promise. */
  nodesOfSiblings({ meta, spec }: Replica): readonly string[] {
    const nodes: string[] = [];
    for (const { replica, node } of this.byReplica.values()) {
      const isSibling =
        replica.meta.namespace === meta.namespace &&
        replica.spec.workloadUid === spec.workloadUid &&
        replica.spec.generation === spec.generation;
      if (isSibling) nodes.push(node);
    }
    return nodes;
  }
}
