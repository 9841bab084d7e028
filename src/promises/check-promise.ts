/**
 * Checks one promise against a fleet by its capacity argument: whether all that must find a place
 * after each failure finds one. What only time can show, it says is not shown.
 */
import {
  type FailureCase,
  FLEET_NAMESPACE,
  promisedWorkload,
  type PromiseKind,
  promiseKindsOf,
} from "../core/model/commitment.ts";
import { type ObjectKey, parseKey, workloadKey } from "../core/model/ids.ts";
import type { Commitment } from "../core/model/objects.ts";
import { countText } from "../core/model/text/count-text.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Argued, CapacityArguer } from "../review/capacity/argue-capacity.ts";
import {
  type CapacityQuestion,
  placesOf,
  workloadText,
} from "../review/capacity/capacity-question.ts";
import type { CapacityArgument } from "../review/review.ts";
import type { PromiseCheck } from "./promise-standing.ts";

type Found = Pick<PromiseCheck, "verdict" | "reason" | "capacity">;

/** Those that need room; of the others a lack of room is no breach by itself. */
const BY_ROOM: ReadonlySet<PromiseKind> = new Set(["recover", "headroom", "drains"]);

const BY_SIMULATION = "it is checked by simulation only: run berth review";

export function checkPromise(
  arguer: CapacityArguer,
  objects: ObjectIndex,
  commitment: Commitment,
): PromiseCheck {
  const { verdict, reason, capacity } = foundOf(arguer, objects, commitment);
  const { key, meta } = commitment;
  return {
    key,
    generation: meta.generation,
    verdict,
    reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`,
    ...(capacity === undefined ? {} : { capacity }),
  };
}

function foundOf(arguer: CapacityArguer, objects: ObjectIndex, commitment: Commitment): Found {
  const [kind] = promiseKindsOf(commitment.spec);
  if (kind === undefined || !BY_ROOM.has(kind)) {
    return { verdict: "not-shown", reason: BY_SIMULATION };
  }
  const workload = workloadOf(commitment);
  const wanted = workload && objects.workload(workload);
  if (workload !== undefined && wanted === undefined) {
    return { verdict: "not-shown", reason: `there is no workload ${workloadText(workload)}` };
  }
  const { recover } = commitment.spec;
  if (wanted !== undefined && (recover?.replicas ?? 0) > wanted.spec.replicas) {
    const asks = `${workloadText(wanted.key)} asks for ${countText(wanted.spec.replicas, "replica")}`;
    return { verdict: "breached", reason: `${asks} and is promised ${recover?.replicas}` };
  }
  const argued = casesOf(objects, commitment).flatMap((one) => {
    const lose = one.lose ?? one.drain;
    if (lose === undefined || placesOf(objects, { ...one, lose }).length === 0) return [];
    const argued = arguer.argue(questionOf(commitment, one, lose));
    return [isOfTenant(commitment) ? ofTenant(commitment, argued) : argued.argument];
  });
  const [worst] = argued.toSorted((a, b) => missingIn(b) - missingIn(a) || b.broken - a.broken);
  if (worst === undefined) {
    return { verdict: "not-shown", reason: "the fleet has no place of the stated kind" };
  }
  return judged(commitment, kind, worst);
}

/** Promised is room for its own replicas, whatever becomes of others. */
const isOfTenant = (commitment: Commitment): boolean =>
  workloadOf(commitment) === undefined && commitment.meta.namespace !== FLEET_NAMESPACE;

/** The argument, counting only the replicas of the tenant. */
function ofTenant({ meta }: Commitment, { argument, outcomes }: Argued): CapacityArgument {
  const isOwn = (workload: ObjectKey): boolean => parseKey(workload).namespace === meta.namespace;
  const failures = outcomes.map(({ places, plan }) => {
    const homeless = plan.homeless.filter(({ workload }) => isOwn(workload));
    const missing = homeless.reduce((sum, { count }) => sum + count, 0);
    const placed = [...plan.placedOf].reduce(
      (sum, [workload, count]) => sum + (isOwn(workload) ? count : 0),
      0,
    );
    const told = homeless.map(({ workload, count }) => ({
      workload: workloadText(workload),
      count,
    }));
    const lost = places.map(({ name }) => name);
    return { lost, replicas: placed + missing, placed, homeless: told };
  });
  const [worst] = failures.toSorted((a, b) => b.replicas - b.placed - (a.replicas - a.placed));
  const broken = failures.filter(({ replicas, placed }) => placed < replicas).length;
  const { worst: _, binding, ...of } = argument;
  // What binds was found for the worst failure of all tenants.
  const isSame = worst !== undefined && argument.worst?.lost.join() === worst.lost.join();
  return {
    ...of,
    broken,
    ...(worst === undefined ? {} : { worst }),
    ...(isSame && binding !== undefined ? { binding } : {}),
  };
}

function judged({ spec }: Commitment, kind: PromiseKind, capacity: CapacityArgument): Found {
  const { broken, failures, isProved, searched, worst, counted, headroom, binding } = capacity;
  const { holds } = spec;
  const mayBreak =
    holds?.of === "failures" && holds.atLeast !== undefined
      ? Math.floor((failures * (1_000_000 - holds.atLeast)) / 1_000_000)
      : 0;
  if (broken > mayBreak && worst !== undefined) {
    const of = `${worst.replicas - worst.placed} of ${countText(worst.replicas, "replica")}`;
    const cause = binding === undefined ? "there is no room" : `${binding} binds`;
    const reason = `${cause}: ${of} find no ${counted} room after the loss of ${worst.lost.join(" and ")}`;
    return { verdict: "breached", reason, capacity };
  }
  if (!isProved) {
    const reason = `not every failure was looked at: ${searched}`;
    return { verdict: "not-shown", reason, capacity };
  }
  const room = headroom ?? `all that is lost finds ${counted} room (${searched})`;
  if (kind === "headroom") return { verdict: "holds", reason: room, capacity };
  return { verdict: "not-shown", reason: `${room}; the time is checked by berth review`, capacity };
}

function questionOf(commitment: Commitment, one: FailureCase, lose: string): CapacityQuestion {
  const { capacity: counted = "hard", recover, headroom } = commitment.spec;
  const { which, anyOf } = one;
  const place = {
    lose,
    counted,
    ...(which === undefined ? {} : { which }),
    ...(anyOf === undefined ? {} : { anyOf }),
  };
  const workload = workloadOf(commitment);
  if (workload === undefined) return place;
  if (recover?.replicas !== undefined) {
    const where = recover.in === undefined ? {} : { in: recover.in };
    return { ...place, serves: { workload, replicas: recover.replicas, ...where } };
  }
  const count = headroom?.replicas;
  return count === undefined
    ? { ...place, onlyWorkload: workload }
    : { ...place, onlyWorkload: workload, spare: { workload, count } };
}

/** The failures that it states, or else each place that can be lost while others are left. */
function casesOf(objects: ObjectIndex, { spec }: Commitment): readonly FailureCase[] {
  if (spec.when !== undefined) return [spec.when];
  return ["node", "zone", "region"]
    .filter((lose) => placesOf(objects, { lose }).length > 1)
    .map((lose) => ({ lose }));
}

export function workloadOf({ meta, spec }: Commitment): ObjectKey | undefined {
  const named = (spec.recover ?? spec.keepServing ?? spec.headroom)?.workload;
  if (named === undefined) return undefined;
  const { tenant, name } = promisedWorkload(named, meta.namespace);
  return workloadKey(tenant, name);
}

const missingIn = ({ worst }: CapacityArgument): number =>
  worst === undefined ? 0 : worst.replicas - worst.placed;
