/**
 * Places replicas that wait, in the order in which a scheduler would look at them: recoveries
 * first, then by the shares of their tenants and by importance, each as if those before it were
 * bound. It ends when no look finds anything more.
 */
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { classOf } from "../model/preemption.ts";
import { workloadOf } from "../model/workload-of.ts";
import { urgentOf } from "../observe/recovery-now.ts";
import type { Found } from "../propose/fleet/node-finder.ts";
import { AHEAD, IN_TURN, type PlacementMode } from "../propose/fleet/placement-mode.ts";
import { BINDS_PER_LOOK } from "../propose/place/placement-look.ts";
import { whyNowhere, type WhyNowhere } from "../propose/place/why-nowhere.ts";
import { fairOrder, type Waiting } from "../propose/queue/fair-order.ts";
import { tenantShare } from "../propose/queue/tenant-share.ts";
import { STATIC_RULES } from "../rules/feasibility/feasibility.ts";
import { addPoolNodes } from "./add-pool-nodes.ts";
import type { LossWorld } from "./loss-world.ts";
import type { Homeless, LossPlan, LossTerms, RoomThatCounts } from "./loss-plan.ts";
import { waitingAgain } from "./unbound.ts";

interface MutableHomeless {
  count: number;
  readonly rejected: WhyNowhere["rejected"];
}

export class PlaceSearch {
  private readonly world: LossWorld;
  private readonly lostNodes: readonly string[];
  private readonly terms: LossTerms;
  private readonly counted: RoomThatCounts;
  private readonly queues = new Map<ObjectKey, Replica[]>();
  private readonly placed = new Map<ObjectKey, Replica>();
  private preempted = 0;
  /** Looks that found something. */
  private finds = 0;

  constructor(world: LossWorld, lostNodes: readonly string[], terms: LossTerms) {
    this.world = world;
    this.lostNodes = lostNodes;
    this.terms = terms;
    this.counted = terms.counted ?? "hard";
  }

  /** The first in the order of names that found no place. */
  get first(): Replica | undefined {
    return this.nowhere()[0];
  }

  placeAll(moving: readonly Replica[]): LossPlan {
    for (const replica of moving.toSorted(byIndex)) this.enqueue(replica);
    this.placeUrgent();
    this.placeInTurn();
    const added = this.counted === "soft" ? this.placeOnPools() : new Map<string, number>();
    return {
      lost: moving.length,
      preempted: this.preempted,
      placed: this.placed.size,
      placedOf: this.placedOf(),
      homeless: this.homeless(),
      added,
    };
  }

  placeOne(replica: Replica, mode: PlacementMode = IN_TURN): Found | undefined {
    const { finder } = this.world;
    const found = finder.find(replica, mode) ?? this.preemptFor(replica, mode);
    if (found !== undefined) this.world.bind(replica, found);
    return found;
  }

  private enqueue(replica: Replica): void {
    const key = workloadOf(replica);
    const queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, [replica]);
    else queue.push(replica);
  }

  /** Recoveries go ahead of the queue: where budgets are, only on what one of them pays (BU8). */
  private placeUrgent(): void {
    const { objects, finder } = this.world;
    const mode = finder.budgets.isBudgeted ? AHEAD : IN_TURN;
    for (const key of [...this.queues.keys()].toSorted()) {
      this.look(key, mode, () => urgentOf(objects, objects.workload(key)) > 0);
    }
  }

  /** Round after round, since what one round placed may open a place for others. */
  private placeInTurn(): void {
    const { view, finder } = this.world;
    for (let before = -1; before < this.finds;) {
      before = this.finds;
      const shares = {
        of: (tenant: string) => tenantShare(tenant, { view, finder }),
        gifts: () => this.finds,
      };
      for (const key of fairOrder(this.waiting(), shares)) this.look(key, IN_TURN, () => true);
    }
  }

  private waiting(): readonly Waiting[] {
    const classes = this.world.objects.all("PriorityClass");
    return [...this.queues].flatMap(([key, [first]]) => {
      if (first === undefined) return [];
      const { meta, spec } = first;
      const priority = classOf(classes, spec.template.priorityClass).value;
      const isLast = key === this.terms.lastOfEquals;
      const sinceMs = isLast ? Number.MAX_SAFE_INTEGER : meta.createdMs;
      return [{ key, tenant: meta.namespace, priority, sinceMs }];
    });
  }

  /** One look at one workload: all alike that follow the first without a place have none either. */
  private look(key: ObjectKey, mode: PlacementMode, isNeeded: () => boolean): void {
    const queue = this.queues.get(key) ?? [];
    const left: Replica[] = [];
    const full = new Set<number>();
    let found = 0;
    for (const replica of queue.splice(0)) {
      const { generation } = replica.spec;
      if (found === BINDS_PER_LOOK || full.has(generation) || !isNeeded()) left.push(replica);
      else if (this.placeOne(replica, mode) === undefined) {
        full.add(generation);
        left.push(replica);
      } else {
        found += 1;
        this.placed.set(replica.key, replica);
      }
    }
    queue.push(...left);
    if (found > 0) this.finds += 1;
  }

  private preemptFor(replica: Replica, mode: PlacementMode): Found | undefined {
    // What a budget pays for is free or kept room; nothing is preempted on one.
    if (this.counted === "hard" || mode !== IN_TURN) return undefined;
    const { world } = this;
    const { priorityClass } = replica.spec.template;
    const by = classOf(world.objects.all("PriorityClass"), priorityClass);
    if (by.preempts === "never") return undefined;
    const best = world.planner.bestNode(replica, by);
    if (typeof best === "string") return undefined;
    const { node, choice } = best;
    for (const victim of choice.victims) {
      const waiting = waitingAgain(victim);
      world.put(victim.key, waiting);
      this.enqueue(waiting);
      // One that was placed after this very loss is counted with the lost.
      if (!this.placed.delete(victim.key)) this.preempted += 1;
    }
    return { node, deviceIds: choice.deviceIds, score: 0, parts: {} };
  }

  private placeOnPools(): ReadonlyMap<string, number> {
    const used = new Map<string, number>();
    const waiting = this.nowhere();
    if (waiting.length === 0) return used;
    const pools = addPoolNodes(this.world, waiting.length);
    if (pools.size === 0) return used;
    this.placeInTurn();
    for (const [node, pool] of pools) {
      if (this.world.objects.replicasOn(node).size === 0) continue;
      used.set(pool, (used.get(pool) ?? 0) + 1);
    }
    return used;
  }

  private nowhere(): readonly Replica[] {
    return [...this.queues.keys()].toSorted().flatMap((key) => this.queues.get(key) ?? []);
  }

  private placedOf(): ReadonlyMap<ObjectKey, number> {
    const counts = new Map<ObjectKey, number>();
    for (const replica of this.placed.values()) {
      const workload = workloadOf(replica);
      counts.set(workload, (counts.get(workload) ?? 0) + 1);
    }
    return counts;
  }

  private homeless(): readonly Homeless[] {
    const found = new Map<ObjectKey, MutableHomeless>();
    for (const replica of this.nowhere()) {
      const workload = workloadOf(replica);
      const known = found.get(workload);
      if (known !== undefined) known.count += 1;
      else found.set(workload, { count: 1, rejected: this.rejectedFor(replica) });
    }
    return [...found].map(([workload, why]) => ({ workload, ...why }));
  }

  /** Of the nodes that are left: what turns away a lost node says nothing. */
  private rejectedFor(replica: Replica): WhyNowhere["rejected"] {
    if (this.terms.tellsWhy === false) return {};
    const { finder, view, objects } = this.world;
    const { rejected } = whyNowhere(replica, { finder, view, mode: IN_TURN });
    const left = new Map(Object.entries(rejected));
    for (const name of this.lostNodes) {
      const node = objects.nodeNamed(name);
      if (node === undefined) continue;
      const candidate = { node, use: objects.useOf(name) };
      const { ask } = replica.spec.template;
      const rule = STATIC_RULES.find((each) => each.check(candidate, ask) !== undefined)?.name;
      const known = rule === undefined ? undefined : left.get(rule);
      if (rule === undefined || known === undefined) continue;
      if (known.count === 1) left.delete(rule);
      else left.set(rule, { ...known, count: known.count - 1 });
    }
    return Object.fromEntries(left);
  }
}

const byIndex = (a: Replica, b: Replica): number =>
  b.spec.generation - a.spec.generation || a.spec.index - b.spec.index || (a.key < b.key ? -1 : 1);
