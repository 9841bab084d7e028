/**
 * A copy of the objects in which losses and placements are made for real, followed by the product's
 * own search for room, and taken back again. One copy serves all the losses of a review: a change
 * costs its nodes and replicas, and not the fleet.
 */
import { type AnyObject, type Replica, type Workload } from "../model/objects.ts";
import { type Epoch, keyOf, KINDS, type ObjectKey } from "../model/ids.ts";
import type { SpareRoom } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { View } from "../observe/view.ts";
import { avoidedNodes } from "../rules/override/avoided-nodes.ts";
import type { Found, NodeFinder } from "../propose/fleet/node-finder.ts";
import { PreemptPlanner } from "../propose/preempt/preempt-planner.ts";
import { planSpares } from "../propose/recovery/plan-spares.ts";

/** The reserve of a workload comes in several plans; with none left it is complete. */
const SPARE_PLANS_MOST = 64;

export class LossWorld {
  readonly objects = new ObjectIndex();
  readonly view = new View({ kinds: new Set(KINDS), node: undefined });
  readonly planner: PreemptPlanner;
  private readonly done: Change[] = [];

  constructor(objects: ObjectIndex) {
    for (const kind of KINDS) {
      for (const after of objects.all(kind).values()) {
        this.objects.fold({ key: after.key, before: undefined, after });
      }
    }
    this.view.lookInto({ objects: this.objects, leaps: 0 });
    this.planner = new PreemptPlanner(this.view);
    for (const after of this.objects.all("Replica").values()) {
      // A scheduler learns the mix of requests from all that are there.
      this.planner.follow({ key: after.key, before: undefined, after });
    }
    this.keepReserves();
    this.done.length = 0;
  }

  get finder(): NodeFinder {
    return this.planner.finder;
  }

  put(key: ObjectKey, after: AnyObject | undefined): void {
    const before = this.objects.get(key);
    if (before === undefined && after === undefined) return;
    this.done.push({ key, before, after });
    this.take({ key, before, after });
  }

  /** What `ask` answers; all that it changes is taken back. */
  during<Answer>(ask: () => Answer): Answer {
    const from = this.done.length;
    try {
      return ask();
    } finally {
      for (let last = this.done.length; last > from; last -= 1) {
        const { key, before, after } = this.done.pop() as Change;
        this.take({ key, before: after, after: before });
      }
    }
  }

  /** As an accepted bind would have it. */
  bind(
    replica: Replica,
    { node, deviceIds, spare, budget }: Pick<Found, "node" | "deviceIds"> & Partial<Found>,
  ): void {
    if (spare !== undefined) this.put(spare, undefined);
    const { status } = replica;
    const paid = budget === undefined ? {} : { budget };
    this.put(replica.key, {
      ...replica,
      status: { ...status, stage: "bound", node, deviceIds, ...paid },
    });
  }

  private take(change: Change): void {
    this.objects.fold(change);
    this.planner.follow(change);
  }

  /** A fleet that no plane runs has objectives, and no room kept for them yet (RV2). */
  keepReserves(): void {
    const shunned = new Set(avoidedNodes(this.objects));
    const workloads = [...this.objects.all("Workload").values()]
      .filter(({ spec }) => spec.recovery !== undefined)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    for (const workload of workloads) {
      let number = this.lastHeld(workload);
      for (let plans = 0; plans < SPARE_PLANS_MOST; plans += 1) {
        const { rooms, drop } = planSpares(this.objects, workload, shunned);
        for (const key of drop) this.put(key, undefined);
        for (const room of rooms) this.keep(workload, room, (number += 1));
        if (rooms.length === 0) break;
      }
    }
  }

  /** Beyond those that are there, whatever the workload knows of them. */
  private lastHeld({ key, status }: Workload): number {
    const numbers = this.objects.reservationsOf(key).map(({ spec }) => spec.incarnation);
    return Math.max(status.recovery?.holds ?? 0, ...numbers);
  }

  private keep({ key: owner, meta, spec }: Workload, room: SpareRoom, incarnation: number): void {
    const { namespace, uid } = meta;
    const { ask, priorityClass } = spec.template;
    const name = `${meta.name}.recovery.${incarnation}`;
    const key = keyOf({ kind: "Reservation", namespace, name });
    this.put(key, {
      kind: "Reservation",
      key,
      meta: { ...meta, name, generation: 1, revision: 0, labels: {}, finalizers: [] },
      spec: {
        owner,
        ownerUid: uid,
        incarnation,
        tenant: namespace,
        amounts: ask.amounts,
        ...(priorityClass === "" ? {} : { priorityClass }),
        deadlineMs: 0,
        for: "recovery",
        room: { ...room, epoch: 0 satisfies Epoch },
      },
      status: {},
    });
  }
}
