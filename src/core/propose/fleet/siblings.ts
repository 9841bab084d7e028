/**
 * Replicas of one service keep apart as far as there is room, also if no spread says so: a service
 * whose replicas share a node is gone with that node. It is a preference and turns no node away, so
 * all services that ask for the same share one ask class, whatever siblings they have.
 */
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

/** Undefined: its workload says how it spreads, or has nothing to keep apart. */
export function siblingsOf(
  replica: Replica,
  { objects, neighbours }: { readonly objects: ObjectIndex; readonly neighbours: Neighbours },
): Siblings | undefined {
  if (!keepsApart(replica, objects)) return undefined;
  const { workloadUid, generation } = replica.spec;
  const of = { kind: "siblings", workload: workloadOf(replica), workloadUid, generation } as const;
  return {
    onNodes: neighbours.counts({ by: "node", of }),
    inZones: neighbours.counts({ by: "zone", of }),
  };
}
