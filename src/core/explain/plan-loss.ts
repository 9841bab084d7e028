/**
 * What the loss of some nodes would leave without a place: every replica on them is searched a
 * place on the nodes that are left, in the order of the queue, by the scheduler's own finder on a
 * copy of the objects. What counts as room is asked for by class, and the classes never mix: room
 * that is free or kept for recovery; also what preemption frees; also nodes that pools may add.
 */
import { nodeKey } from "../model/ids.ts";
import type { AnyObject, Node, Replica } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { Fleet } from "../propose/fleet/fleet.ts";
import { beginRecoveries } from "./begin-recoveries.ts";
import { type DrainEnd, drainToEnd } from "./drain-to-end.ts";
import { LossWorld } from "./loss-world.ts";
import type { LossPlan, LossTerms } from "./loss-plan.ts";
import { PlaceSearch } from "./place-search.ts";
import { waitingAgain } from "./unbound.ts";

/** The fleet after a loss, while it is asked about. */
export interface AfterLoss {
  readonly world: LossWorld;
  readonly plan: LossPlan;
  /** The first that found no place, as it waits. */
  readonly first: Replica | undefined;
  /** Whether one more finds a place, and if so it is there from now on. */
  readonly place: (replica: Replica) => boolean;
}

/** `mayMove` is false for replicas that belong to their node and end with it. */
export class LossPlanner {
  private readonly world: LossWorld;
  private readonly mayMove: (replica: Replica) => boolean;

  constructor(objects: ObjectIndex, mayMove: (replica: Replica) => boolean = () => true) {
    this.world = new LossWorld(objects);
    this.mayMove = mayMove;
  }

  /** As it is without any loss, with the recovery reserve that a plane would keep. */
  get objects(): ObjectIndex {
    return this.world.objects;
  }

  plan(nodes: readonly string[], terms: LossTerms = {}): LossPlan {
    return this.after(nodes, terms, ({ plan }) => plan);
  }

  after<Answer>(
    nodes: readonly string[],
    terms: LossTerms,
    ask: (after: AfterLoss) => Answer,
  ): Answer {
    return this.world.during(() => {
      const moving = this.lose(nodes);
      const search = new PlaceSearch(this.world, nodes, terms);
      const plan = search.placeAll(moving);
      return ask({
        world: this.world,
        plan,
        first: search.first,
        place: (replica) => search.placeOne(replica) !== undefined,
      });
    });
  }

  /** The nodes as the scheduler's search has them. */
  get columns(): Fleet {
    return this.world.finder.columns;
  }

  /** What a drain of the node comes to, and what `ask` answers of the fleet as it is then. */
  drain<Answer>(node: string, ask: (end: DrainEnd, world: LossWorld) => Answer): Answer {
    return this.world.during(() => ask(drainToEnd(this.world, node, this.mayMove), this.world));
  }

  /** What `ask` answers with these objects in the place of those that have their keys. */
  with<Answer>(changed: readonly AnyObject[], ask: () => Answer): Answer {
    return this.world.during(() => {
      for (const after of changed) this.world.put(after.key, after);
      this.world.keepReserves();
      return ask();
    });
  }

  /** Those that would have to move. */
  movingFrom(node: string): readonly Replica[] {
    return [...this.world.objects.replicasOn(node).values()].filter(this.mayMove);
  }

  private lose(nodes: readonly string[]): readonly Replica[] {
    const { world } = this;
    const { objects } = world;
    const moving: Replica[] = [];
    const lost: Replica[] = [];
    for (const name of nodes) {
      for (const replica of objects.replicasOn(name).values()) lost.push(replica);
    }
    const before = beginRecoveries(world, lost);
    for (const replica of lost) {
      if (this.mayMove(replica)) {
        const waiting = waitingAgain(replica);
        moving.push(waiting);
        world.put(replica.key, waiting);
      } else world.put(replica.key, undefined);
    }
    for (const name of nodes) {
      // Room that is held on a node ends with it (PE7, RV5).
      for (const key of objects.useOf(name).held.keys()) world.put(key, undefined);
      const node = objects.nodeNamed(name);
      if (node !== undefined) world.put(nodeKey(name), fenced(node));
    }
    before.lostNow();
    return moving;
  }
}

const fenced = (node: Node): Node => ({ ...node, status: { ...node.status, health: "fenced" } });
