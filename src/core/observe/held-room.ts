/**
 * Room of a node that is held for somebody who is on his way, while those who make it are still
 * there. For others two states must fit: the present, and the one after those who were asked to
 * stop have left and those the room is held for have come. For the owner his own hold is no
 * obstacle.
 */
import { roomOf } from "../model/reservation.ts";
import type { Replica, Reservation } from "../model/objects.ts";
import { isHeldFor } from "./held-for.ts";
import type { ObjectIndex } from "./object-index.ts";
import { addToDevices, addToNode, type NodeUse, type UnitUse } from "./usage.ts";

/** The room that is held for this very incarnation, wherever it is. */
export function roomFor(objects: ObjectIndex, replica: Replica): Reservation | undefined {
  for (const held of objects.reservationsOf(replica.key)) {
    if (held.spec.for !== "quota" && isHeldFor(held, replica)) return held;
  }
  return undefined;
}

/** The same use, with some of what is held there held no more. */
export function withoutHolds(use: NodeUse, isOver: (held: Reservation) => boolean): NodeUse {
  const held = new Map([...use.held].filter(([, each]) => !isOver(each)));
  return { ...use, held };
}

export const copyOfUse = (use: NodeUse): NodeUse => ({ ...use, devices: new Map(use.devices) });

/** Replicas on the node that were asked to stop: they leave, whatever else happens. */
export function* leaving(objects: ObjectIndex, node: string): Iterable<Replica> {
  for (const replica of objects.replicasOn(node).values()) {
    if (replica.status.stopping !== undefined) yield replica;
  }
}

/** What is taken there once `gone` have left and what is held has been taken, except by `owner`. */
export function useAfter(
  use: NodeUse,
  gone: Iterable<Replica>,
  owner: Replica | undefined,
): NodeUse {
  const later = copyOfUse(use);
  for (const replica of gone) leave(later, replica);
  for (const held of use.held.values()) {
    if (owner === undefined || !isHeldFor(held, owner)) takeHeld(later, held);
  }
  return later;
}

export function leave(use: NodeUse, replica: Replica): void {
  addToNode(use, replica.spec.template.ask.amounts, -1);
  addToDevices(use, replica, replica.status.deviceIds, -1);
}

export function comeBack(use: NodeUse, replica: Replica): void {
  addToNode(use, replica.spec.template.ask.amounts, 1);
  addToDevices(use, replica, replica.status.deviceIds, 1);
}

/** As if the owner were there already. */
function takeHeld(use: NodeUse, { spec }: Reservation): void {
  const ids = roomOf(spec)?.deviceIds ?? [];
  addToNode(use, spec.amounts, 1);
  for (const id of ids) {
    const { usedMillis = 0, owners = [] } = use.devices.get(id) ?? {};
    // Every device of one ask is taken to the same part.
    const millis = spec.amounts.deviceMillis / ids.length;
    use.devices.set(id, { usedMillis: usedMillis + millis, owners: [...owners, spec.owner] });
  }
}

/**
 * The use of a node as others than the owners of its holds must see it: the more of now and later.
 * Holds of which `isTaken` says that their owners are counted as there already are left out.
 */
export function tightUse(
  objects: ObjectIndex,
  node: string,
  isTaken: (held: Reservation) => boolean,
): NodeUse {
  const now = objects.useOf(node);
  if (now.held.size === 0) return now;
  const held = withoutHolds(now, isTaken).held;
  const later = useAfter({ ...now, held }, leaving(objects, node), undefined);
  const devices = new Map<string, UnitUse>(now.devices);
  for (const [id, unit] of later.devices) {
    if (unit.usedMillis > (devices.get(id)?.usedMillis ?? 0)) devices.set(id, unit);
  }
  return {
    cpuMillis: Math.max(now.cpuMillis, later.cpuMillis),
    memoryMiB: Math.max(now.memoryMiB, later.memoryMiB),
    deviceMillis: Math.max(now.deviceMillis, later.deviceMillis),
    replicas: Math.max(now.replicas, later.replicas),
    devices,
    held: now.held,
  };
}
