/**
 * Replicas of one service keep apart as far as there is room, also if no spread says so: a service
 * whose replicas share a node is gone with that node. It is a preference and turns no node away, so
 * all services that ask for the same share one ask class, whatever siblings they have.
 */
import type { Uid } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { DomainCounts, Neighbours } from "../../observe/neighbours.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { isSpreadStated } from "../../observe/policy-in-force.ts";

/** How many siblings of a replica are where; places without any are left out. */
export interface Siblings {
  readonly onNodes: DomainCounts;
  readonly inZones: DomainCounts;
}

/** As much as all of a node's room: no score for fullness outweighs a sibling. */
const POINTS_PER_SIBLING = -1000;

export const companyInPlace = (count: number | undefined): number =>
  count === undefined ? 0 : count * POINTS_PER_SIBLING;

/**
 * A job is over before its node is lost, as a rule; a single replica has no siblings; and a gang
 * that loses one member is lost, wherever the others are.
 */
export function keepsApart(replica: Replica, objects: ObjectIndex): boolean {
  const { type, template } = replica.spec;
  if (type !== "service" || isSpreadStated(objects, template)) return false;
  const workload = objects.workload(workloadOf(replica));
  return workload !== undefined && workload.spec.replicas > 1 && workload.spec.gang === undefined;
}

/**
 * Where the siblings of a replica are. A cycle asks for one replica after the other of a workload,
 * so the counts of the last one are kept.
 */
export class SiblingCounts {
  private uid: Uid | undefined;
  private generation = -1;
  private last: Siblings | undefined;

  of(replica: Replica, neighbours: Neighbours): Siblings {
    const { workloadUid, generation } = replica.spec;
    const { last } = this;
    const isSame = this.uid === workloadUid && this.generation === generation;
    if (last !== undefined && isSame && isKept(last, neighbours)) return last;
    const workload = workloadOf(replica);
    const of = { kind: "siblings", workload, workloadUid, generation } as const;
    this.uid = workloadUid;
    this.generation = generation;
    this.last = {
      onNodes: neighbours.counts({ by: "node", of }),
      inZones: neighbours.counts({ by: "zone", of }),
    };
    return this.last;
  }

  /** Everything is counted anew when it is next asked for. */
  forget(): void {
    this.last = undefined;
  }
}

const isKept = ({ onNodes, inZones }: Siblings, neighbours: Neighbours): boolean =>
  neighbours.isKept(onNodes) && neighbours.isKept(inZones);
