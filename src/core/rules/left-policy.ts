/**
 * What goes because the policy revision that it came of was left for an earlier one. The proposer
 * asks it of its view, the authority of the truth (PY8).
 */
import { reservedUnder, roomOf } from "../model/reservation.ts";
import { ROOM_RULES, STATIC_RULES } from "./feasibility/feasibility.ts";
import { policyKey } from "../model/ids.ts";
import type { Node, Policy, Replica, Reservation, Spread } from "../model/objects.ts";
import { bandsKeptApart, type LeftRevision } from "../model/policy.ts";
import { classOf } from "../model/preemption.ts";
import { holdsNode } from "../model/stage.ts";
import { domainOf } from "../model/topology.ts";
import { workloadOf } from "../model/workload-of.ts";
import { disruptionsLeft } from "./disruption.ts";
import { isAvailable, isWanted } from "../model/availability.ts";
import { leaving } from "../observe/held-room.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import {
  policyNameOf,
  revisionAt,
  rulesInForce,
  spreadInForce,
} from "../observe/policy-in-force.ts";

/**
 * Of workloads that bound their disruption not themselves, one in so many is moved at once, and
 * always one.
 */
const MOVED_AT_ONCE_ONE_IN = 10;

/**
 * The entry that says what becomes of what was decided there under the revision; undefined: it is
 * in force, or was never left.
 */
export function leftIn(
  { spec, status }: Policy,
  revision: string,
  region: string,
): LeftRevision | undefined {
  if (revisionAt(spec, region) === revision) return undefined;
  return status.left?.find(
    (left) => left.revision === revision && (left.region === undefined || left.region === region),
  );
}

function policyOf(objects: ObjectIndex, replica: Replica): Policy | undefined {
  return objects.all("Policy").get(policyKey(policyNameOf(replica.spec.template)));
}

/**
 * Why a binding stays where it is, in a word or two; undefined: it goes, once its workload can
 * spare it.
 */
export function whyBindingStays(objects: ObjectIndex, replica: Replica): string | undefined {
  const { node: name, policyRevision, stage } = replica.status;
  const node = objects.nodeNamed(name ?? "");
  const policy = policyOf(objects, replica);
  if (!holdsNode(stage) || node === undefined || policyRevision === undefined) return "not bound";
  const left = policy && leftIn(policy, policyRevision, node.spec.region);
  if (left === undefined) return "not left";
  if (left.plan.bindings === "preserve") return "preserved";
  // What would be lost is its work, and it ends by itself.
  if (replica.spec.type === "batch") return "a batch";
  // It cannot be stopped, and replicas lost with its node are placed anew anyway.
  if (stage === "unknown") return "silent";
  if (left.plan.bindings === "drain") return undefined;
  return breaksSpread(objects, replica, node) ? undefined : "allowed";
}

/** Whether so many of its workload are out of serving that this one must wait. */
export function isBeyondRate(objects: ObjectIndex, replica: Replica, nowMs: number): boolean {
  return isAvailable(replica) && rateLeft(objects, replica, nowMs) <= 0;
}

/**
 * How many more of its workload may be asked to move at this moment. Only the authority has a
 * `nowMs`.
 */
export function rateLeft(objects: ObjectIndex, replica: Replica, nowMs?: number): number {
  const key = workloadOf(replica);
  const workload = objects.workload(key);
  if (workload === undefined || !isWanted(replica, workload)) return 1;
  const usual = Math.max(1, Math.floor(workload.spec.replicas / MOVED_AT_ONCE_ONE_IN));
  return disruptionsLeft(objects, key, usual, nowMs);
}

/** Why room that is held for a replica stays held; undefined: it is given back. */
export function whyRoomStays(objects: ObjectIndex, held: Reservation): string | undefined {
  const policyRevision = reservedUnder(held.spec);
  const replica = objects.replica(held.spec.owner);
  const node = objects.nodeNamed(roomOf(held.spec)?.node ?? "");
  if (policyRevision === undefined || replica === undefined || node === undefined) {
    return "not left";
  }
  const policy = policyOf(objects, replica);
  const left = policy && leftIn(policy, policyRevision, node.spec.region);
  if (left === undefined) return "not left";
  const { reservations } = left.plan;
  if (reservations === "preserve") return "preserved";
  if (reservations === "drain") return undefined;
  return isStillTheirs(objects, replica, node) ? "allowed" : undefined;
}

/** Whether all who still leave for it are such as it may ask by the rules now in force. */
function isStillTheirs(objects: ObjectIndex, replica: Replica, node: Node): boolean {
  const rules = rulesInForce(objects, replica.spec.template, node.spec.region);
  const classes = objects.all("PriorityClass");
  const { band } = classOf(classes, replica.spec.template.priorityClass);
  for (const other of leaving(objects, node.meta.name)) {
    if (other.status.stopping?.by !== replica.key) continue;
    const its = classOf(classes, other.spec.template.priorityClass).band;
    if (bandsKeptApart(rules, band, its)) return false;
  }
  return true;
}

/**
 * Whether its place is too far ahead by the spread in force, and another that is not has room for
 * one.
 */
export function breaksSpread(objects: ObjectIndex, replica: Replica, node: Node): boolean {
  if (replica.spec.template.spread.length > 0) return false;
  return spreadInForce(objects, replica.spec.template)
    .filter(({ soft }) => soft !== true)
    .some((spread) => isTooFarAhead(objects, replica, { node, spread }));
}

function isTooFarAhead(
  objects: ObjectIndex,
  replica: Replica,
  { node, spread }: { readonly node: Node; readonly spread: Spread },
): boolean {
  const counts = siblingsByPlace(objects, replica, spread.by);
  const { ask } = replica.spec.template;
  const ahead = counts.get(domainOf(node, spread.by) ?? "") ?? 0;
  for (const other of objects.all("Node").values()) {
    const place = domainOf(other, spread.by);
    if (place === undefined || ahead - (counts.get(place) ?? 0) <= spread.maxSkew) continue;
    const candidate = { node: other, use: objects.useOf(other.meta.name) };
    const isOpen = [...STATIC_RULES, ...ROOM_RULES].every(
      (rule) => rule.check(candidate, ask) === undefined,
    );
    if (isOpen) return true;
  }
  return false;
}

/** Those that are on their way out are not there any more. */
function siblingsByPlace(
  objects: ObjectIndex,
  replica: Replica,
  by: Spread["by"],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { spec, status } of objects.replicasOf(workloadOf(replica)).values()) {
    const { workloadUid, generation } = replica.spec;
    if (spec.workloadUid !== workloadUid || spec.generation !== generation) continue;
    const node = objects.nodeNamed(status.node ?? "");
    const place = node && domainOf(node, by);
    if (place === undefined || status.stopping !== undefined) continue;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}
