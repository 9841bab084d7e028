/**
 * How much a set of lost places can leave missing at most, without trying it. The bound adds up by
 * place, so that a search can leave out whole families of sets.
 *
 * Why it is admissible. Take a replica r that was lost, with any set of at most k places, and any
 * moment of the placement. Other replicas can close an open node to r only by using it up: of some
 * amount that r asks for they must take at least what is free there, less what r asks, and one.
 * What all others take of that amount is no more than what the k places with most of it hold. So
 * the nodes closed over that amount are no more than those whose costs, cheapest first, add up to
 * that sum; the nodes closed in all are no more than the sum over the amounts. If more nodes are
 * open to r than can be lost and closed together, r finds a node, whatever order the queue takes
 * and whichever nodes the scheduler prefers. Only the other replicas of a set can be homeless.
 *
 * A rule that counts neighbours per node closes at most one node for each of them that is placed. A
 * spread over larger places may insist on any one of them, so each of them must have an open node.
 * Every other rule about neighbours is beyond this argument: such a replica is never sure of one.
 */
import type { Replica } from "../../core/model/objects.ts";
import type { LossPlanner } from "../../core/explain/plan-loss.ts";
import type { CapacityQuestion, Place } from "./capacity-question.ts";
import { moreReplica, nextIndexOf } from "./more-replicas.ts";
import { SureRooms, demandOf, mostOf, NO_DEMAND, plusDemand } from "./sure-rooms.ts";
import { workloadOf } from "../../core/model/workload-of.ts";

export interface SetBound {
  /** What is missing without a loss; below nothing where there is more than needed. */
  readonly base: number;
  /** What the loss of each place may add. */
  readonly values: readonly number[];
  /** Whether a set may leave missing more than the bound once it is not zero: by preemption. */
  readonly isOnlyForZero: boolean;
}

/** The most that a set may leave missing, whose values add up to this. */
export function atMost({ base, isOnlyForZero }: SetBound, sum: number): number {
  const most = Math.max(0, base + sum);
  return isOnlyForZero && most > 0 ? Number.POSITIVE_INFINITY : most;
}

export function boundOfSets(
  planner: LossPlanner,
  places: readonly Place[],
  question: CapacityQuestion,
): SetBound {
  const k = question.anyOf ?? 1;
  const moving = places.map(({ nodes }) => nodes.flatMap((node) => planner.movingFrom(node)));
  const spare = spareReplicas(planner, question);
  const spareDemand = spare.reduce((sum, each) => plusDemand(sum, demandOf(each)), NO_DEMAND);
  const demands = moving.map((replicas) =>
    replicas.reduce((sum, each) => plusDemand(sum, demandOf(each)), NO_DEMAND),
  );
  const sure = new SureRooms(planner, {
    places,
    moving,
    spare,
    lostAtOnce: k,
    demand: plusDemand(mostOf(demands, k), spareDemand),
  });
  const isOnlyForZero = question.counted !== "hard";
  const { serves, onlyWorkload } = question;
  const meant = onlyWorkload ?? serves?.workload;
  const counts = (replica: Replica): boolean =>
    // Who preempts or is preempted is not known: then all must be sure of a node.
    isOnlyForZero || meant === undefined || workloadOf(replica) === meant;
  const isUnsure = (replica: Replica): boolean =>
    !sure.isSure(replica) || !isSureToCount(replica, question);
  const values = moving.map(
    (replicas) => replicas.filter((each) => counts(each) && isUnsure(each)).length,
  );
  // A workload that does not exist has none of the room that is asked for.
  const isSpareSure = spare.length > 0 && spare.every((each) => sure.isSure(each));
  const missingSpare = isSpareSure ? 0 : (question.spare?.count ?? 0);
  return { base: missingSpare + shortNow(planner, question), values, isOnlyForZero };
}

/** Placed outside the regions that count, it is missing all the same. */
function isSureToCount({ spec }: Replica, { serves }: CapacityQuestion): boolean {
  if (serves?.in === undefined) return true;
  const { regions } = spec.template.ask;
  return regions.length > 0 && regions.every((region) => serves.in?.includes(region) === true);
}

/** Of what must serve, what is missing already; below nothing for those that are to spare. */
function shortNow({ objects }: LossPlanner, { serves }: CapacityQuestion): number {
  if (serves === undefined) return 0;
  let there = 0;
  for (const { status } of objects.replicasOf(serves.workload).values()) {
    const node = objects.nodeNamed(status.node ?? "");
    if (node === undefined) continue;
    if (serves.in === undefined || serves.in.includes(node.spec.region)) there += 1;
  }
  return serves.replicas - there;
}

function spareReplicas({ objects }: LossPlanner, { spare }: CapacityQuestion): readonly Replica[] {
  const workload = spare === undefined ? undefined : objects.workload(spare.workload);
  if (spare === undefined || workload === undefined) return [];
  const first = nextIndexOf(objects, workload);
  return Array.from({ length: spare.count }, (_, at) => moreReplica(workload, first + at));
}
