/**
 * What a recovery objective asks for at this moment, said a second time: whole lists of replicas
 * and of what is held for the workload, counted anew for every question.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import { type ObjectKey, nodeKey, replicaKey, type Uid } from "../../../core/model/ids.ts";
import type { Node, Replica, Reservation, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { openNodes } from "./naive-fit.ts";
import { areSiblings, everyPlaced, placeOf } from "./naive-neighbours.ts";
import { naiveSpread } from "./naive-policy.ts";
import { boundsOf, isWantedBy, replicasOf, servingOf, workloadOf } from "./naive-wanted.ts";

export interface RecoveryPicture {
  /** What serves at least while nothing was lost. */
  readonly bar: number;
  readonly serving: number;
  readonly held: readonly Reservation[];
  /** Room that is of use, and room that may be made. */
  readonly need: number;
  readonly most: number;
}

export const isOfRecovery = ({ spec }: Reservation): boolean => spec.for === "recovery";

export function recoveryPicture(objects: ObjectIndex, workload: Workload): RecoveryPicture {
  const { spec, status, meta, key } = workload;
  const asked = askedOf(workload);
  const own = replicasOf(objects, workload).filter(
    (replica) => isWantedBy(workload, replica.spec) && replica.status.superseded === undefined,
  );
  const isThere = (replica: Replica): boolean => {
    const { stage, stopping, node } = replica.status;
    const region = objects.node(nodeKey(node ?? ""))?.spec.region ?? "";
    const isUp = isHolding(replica) && stage !== "unknown" && stopping === undefined;
    return isUp && (spec.recovery?.regions ?? []).includes(region);
  };
  const there = own.filter(isThere).length;
  const elsewhere = own.filter(
    (replica) => !isThere(replica) && (isHolding(replica) || replica.status.stage === "queued"),
  ).length;
  const need = Math.max(0, asked - there);
  return {
    bar: barOf(workload),
    serving: servingOf(objects, workload),
    held: [...objects.all("Reservation").values()].filter(
      (held) => isOfRecovery(held) && held.spec.owner === key && held.spec.ownerUid === meta.uid,
    ),
    need,
    most: Math.min(need, elsewhere + (status.recovery?.under?.lost ?? 0)),
  };
}

const askedOf = ({ meta, spec }: Workload): number =>
  meta.deletingMs === undefined ? Math.min(spec.recovery?.replicas ?? 0, spec.replicas) : 0;

function barOf(workload: Workload): number {
  const { rollout, recovery } = workload.status;
  const excused = rollout === undefined ? 0 : boundsOf(workload).unavailable;
  return Math.max(0, Math.min(askedOf(workload), recovery?.reached ?? 0) - excused);
}

/** What a recovery under way lacks in its number of lost replicas, as a sentence. */
export function lossNotNoted(
  objects: ObjectIndex,
  workload: Workload | undefined,
): string | undefined {
  const noted = workload?.status.recovery?.under?.lost;
  if (workload === undefined || noted === undefined) return undefined;
  const bar = barOf(workload);
  const serving = servingOf(objects, workload);
  if (bar - serving <= noted) return undefined;
  return `${serving} of ${bar} serve, and its recovery notes a loss of ${noted}.`;
}

/** Asks for what one more replica of it would, in the regions of the objective. */
export function anotherOf({ meta, spec, status }: Workload): Replica {
  const { ask } = spec.template;
  const of = { tenant: meta.namespace, workload: meta.name, index: spec.replicas };
  const generation = status.templateGeneration;
  return {
    kind: "Replica",
    key: `${replicaKey({ ...of, generation })}.another` as ObjectKey,
    meta: { ...meta, name: `${meta.name}.another`, uid: `${meta.uid}.another` as Uid },
    spec: {
      workload: meta.name,
      workloadUid: meta.uid,
      generation,
      index: spec.replicas,
      type: spec.type,
      template: {
        ...spec.template,
        ask: { ...ask, regions: spec.recovery?.regions ?? ask.regions },
      },
    },
    status: {
      stage: "queued",
      stageSinceMs: 0,
      incarnation: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: [],
      stopping: undefined,
    },
  };
}

/**
 * Why one more of it on a node would break its spread, were everything outside its regions lost and
 * `rooms` taken. With `atMost`, the other places are given all of those, too: then it is wrong
 * whichever of them are of use.
 */
export function spreadOverSpares(
  objects: ObjectIndex,
  asked: Replica,
  of: {
    readonly node: Node;
    readonly rooms: readonly Reservation[];
    readonly atMost?: readonly Reservation[];
  },
): string | undefined {
  const { template } = asked.spec;
  const nodesOf = (rooms: readonly Reservation[]): readonly Node[] =>
    rooms.flatMap(({ spec }) => objects.node(nodeKey(roomOf(spec)?.node ?? "")) ?? []);
  const siblings = everyPlaced(objects)
    .filter(({ replica, node }) => {
      const isThere = template.ask.regions.includes(node.spec.region);
      return isThere && areSiblings(replica, asked);
    })
    .map(({ node }) => node);
  const mine = [...siblings, ...nodesOf(of.rooms)];
  const theirs = [...siblings, ...nodesOf(of.atMost ?? of.rooms)];
  const open = openNodes(objects, asked);
  // The objective has put its regions in place of the workload's own, which say what policy it is
  // under.
  const own = workloadOf(objects, asked)?.spec.template ?? template;
  const spread = template.spread.length > 0 ? template.spread : naiveSpread(objects, own);
  for (const rule of spread.filter(({ soft }) => soft !== true)) {
    const here = placeOf(of.node, rule.by);
    if (here === undefined) return `on a node that has no ${rule.by}`;
    const count = (place: string, among: readonly Node[]): number =>
      among.filter((node) => placeOf(node, rule.by) === place).length;
    for (const place of new Set(open.flatMap((node) => placeOf(node, rule.by) ?? []))) {
      const ahead = count(here, mine) + 1 - count(place, place === here ? mine : theirs);
      if (ahead <= rule.maxSkew) continue;
      return `in ${rule.by} ${here}, ${ahead} ahead of ${place}, where ${rule.maxSkew} may be`;
    }
  }
  return undefined;
}
