/**
 * What the loss of some nodes would leave without a place: every replica on them is searched a
 * place on the nodes that are left, the most important first, by the scheduler's own finder on a
 * copy of the objects. Only room that is free counts: nothing is preempted, and no node is added.
 */
import { KINDS, nodeKey, type ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { classOf } from "../model/preemption.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import { View } from "../observe/view.ts";
import { NodeFinder } from "../propose/fleet/node-finder.ts";
import { IN_TURN } from "../propose/fleet/placement-mode.ts";
import { whyNowhere, type WhyNowhere } from "../propose/place/why-nowhere.ts";
import { type Changed, ChangedWorld } from "./changed-world.ts";
import { unbound } from "./unbound.ts";

export interface LossPlan {
  /** Replicas that ran on the lost nodes and may run elsewhere. */
  readonly lost: number;
  readonly placed: number;
  /** By workload, those that find no place. */
  readonly homeless: readonly Homeless[];
}

export interface Homeless {
  readonly workload: ObjectKey;
  readonly count: number;
  /** Which rules turned away how many of the nodes that are left, for the first of them. */
  readonly rejected: WhyNowhere["rejected"];
}

/** `mayMove` is false for replicas that belong to their node and end with it. */
export class LossPlanner {
  private readonly world: ChangedWorld;
  private readonly mayMove: (replica: Replica) => boolean;

  constructor(objects: ObjectIndex, mayMove: (replica: Replica) => boolean = () => true) {
    this.world = new ChangedWorld(objects);
    this.mayMove = mayMove;
  }

  plan(nodes: readonly string[]): LossPlan {
    const { objects } = this.world;
    const onThem = nodes.flatMap((node) => [...objects.replicasOn(node).values()]);
    const moving = onThem.filter((replica) => this.mayMove(replica)).toSorted(byPriority(objects));
    const changed: readonly Changed[] = [
      ...onThem.map(({ key }) => ({ key, after: undefined })),
      ...moving.map((replica) => ({ key: replica.key, after: unbound(replica) })),
      ...nodes.map((node) => ({ key: nodeKey(node), after: undefined })),
    ];
    return this.world.during(changed, () => this.search(moving));
  }

  private search(moving: readonly Replica[]): LossPlan {
    const { objects } = this.world;
    const view = new View({ kinds: new Set(KINDS), node: undefined });
    view.lookInto({ objects, leaps: 0 });
    const finder = new NodeFinder(view);
    const homeless = new Map<ObjectKey, { count: number; rejected: WhyNowhere["rejected"] }>();
    let placed = 0;
    for (const { key } of moving) {
      const replica = objects.replica(key) as Replica;
      const found = finder.find(replica);
      if (found !== undefined) {
        finder.assume(replica, found, 0);
        placed += 1;
        continue;
      }
      const workload = workloadOf(replica);
      const others = homeless.get(workload);
      if (others !== undefined) others.count += 1;
      else {
        const { rejected } = whyNowhere(replica, { finder, view, mode: IN_TURN });
        homeless.set(workload, { count: 1, rejected });
      }
    }
    return {
      lost: moving.length,
      placed,
      homeless: [...homeless].map(([workload, why]) => ({ workload, ...why })),
    };
  }
}

/** As the queue would take them: by priority, then by age and name. */
function byPriority(objects: ObjectIndex): (a: Replica, b: Replica) => number {
  const classes = objects.all("PriorityClass");
  const valueOf = ({ spec }: Replica): number =>
    classOf(classes, spec.template.priorityClass).value;
  return (a, b) => valueOf(b) - valueOf(a) || (a.key < b.key ? -1 : 1);
}
