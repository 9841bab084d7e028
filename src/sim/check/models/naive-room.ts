/**
 * Whether a node has room for a replica: a sum over the replicas there and the room reserved there
 * for others, anew for every question, over lists that are made anew after every change.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import type { DeviceAsk, Node, Replica, Reservation } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { perState } from "./per-state.ts";

/** A replica that takes room: present, or still to come. */
export interface Taker {
  readonly amounts: Amounts;
  readonly deviceIds: readonly string[];
  readonly shareMillis: number;
}

interface Present extends Taker {
  readonly by: Replica;
}

const NOBODY: readonly never[] = [];

/** Every reservation of room there is, by the node it is on. */
const holdsByNode = perState((objects) => {
  const found = new Map<string, Reservation[]>();
  for (const hold of objects.all("Reservation").values()) {
    if (hold.spec.for === "quota") continue;
    const held = found.get(hold.spec.room.node);
    if (held === undefined) found.set(hold.spec.room.node, [hold]);
    else held.push(hold);
  }
  return found;
});

/**
 * Reserved room on a node, closed to all but its owner; a reservation for another incarnation of
 * the owner counts for no replica.
 */
export const holdsOn = (objects: ObjectIndex, node: string): readonly Reservation[] =>
  holdsByNode(objects).get(node) ?? NOBODY;

/** Whether room on any node is reserved for this incarnation. */
export function isHeldFor(objects: ObjectIndex, replica: Replica): boolean {
  for (const holds of holdsByNode(objects).values()) {
    if (holds.some((hold) => isFor(hold, replica))) return true;
  }
  return false;
}

/**
 * Room at this moment, and also once stopping replicas have left and the owners of reserved room
 * have come: the first alone would let a replica steal reserved room.
 */
export function hasRoom(objects: ObjectIndex, node: Node, replica: Replica): boolean {
  if (!fits(node, replica, takersOn(objects, node.meta.name))) return false;
  const others = holdsOn(objects, node.meta.name).filter((hold) => !isFor(hold, replica));
  if (others.length === 0) return true;
  return (
    hasRoomWithout(objects, node, replica, {}) && keepsItsDevices(objects, node, replica, others)
  );
}

/** It keeps the devices that it takes now, so they have to be free later, too. */
function keepsItsDevices(
  objects: ObjectIndex,
  node: Node,
  replica: Replica,
  others: readonly Reservation[],
): boolean {
  const { device } = replica.spec.template.ask;
  if (device === undefined) return true;
  const now = takersOn(objects, node.meta.name);
  const staying = now.filter(({ by }) => by.status.stopping === undefined);
  const later = new Set(unitsFor(node, device, [...staying, ...others.map(asTaker)]));
  return unitsFor(node, device, now).filter((id) => later.has(id)).length >= device.count;
}

/**
 * The same for a replica that takes the reserved room `hold`: room now, and beside all other
 * reserved room once stopping replicas have left.
 */
export const hasRoomInPlaceOf = (
  objects: ObjectIndex,
  node: Node,
  replica: Replica,
  hold: ObjectKey,
): boolean =>
  fits(node, replica, takersOn(objects, node.meta.name)) &&
  hasRoomWithout(objects, node, replica, { holds: new Set([hold]) });

/** Replicas and reservations that count as gone. */
export interface Gone {
  readonly replicas?: ReadonlySet<ObjectKey>;
  readonly holds?: ReadonlySet<ObjectKey>;
}

/** Room once stopping replicas and all of `gone` have left, beside the room reserved for others. */
export function hasRoomWithout(
  objects: ObjectIndex,
  node: Node,
  replica: Replica,
  { replicas, holds }: Gone,
): boolean {
  const staying = takersOn(objects, node.meta.name).filter(
    ({ by }) => replicas?.has(by.key) !== true && by.status.stopping === undefined,
  );
  const others = holdsOn(objects, node.meta.name).filter(
    (hold) => !isFor(hold, replica) && holds?.has(hold.key) !== true,
  );
  return fits(node, replica, others.length === 0 ? staying : [...staying, ...others.map(asTaker)]);
}

const isFor = ({ spec }: Reservation, replica: Replica): boolean =>
  spec.owner === replica.key &&
  spec.ownerUid === replica.meta.uid &&
  spec.incarnation === replica.status.incarnation;

/** Node → the use of every replica there, filled in on the first question about the node. */
const takersByNode = perState(() => new Map<string, readonly Present[]>());

function takersOn(objects: ObjectIndex, node: string): readonly Present[] {
  const known = takersByNode(objects);
  let takers = known.get(node);
  if (takers === undefined) {
    takers = there(objects, node);
    known.set(node, takers);
  }
  return takers;
}

function there(objects: ObjectIndex, node: string): readonly Present[] {
  const takers: Present[] = [];
  for (const by of objects.replicasOn(node).values()) {
    if (!isHolding(by)) continue;
    const { amounts, device } = by.spec.template.ask;
    const { deviceIds } = by.status;
    takers.push({ by, amounts, deviceIds, shareMillis: device?.shareMillis ?? 0 });
  }
  return takers;
}

function asTaker({ spec }: Reservation): Taker {
  const deviceIds = roomOf(spec)?.deviceIds ?? [];
  const shareMillis = spec.amounts.deviceMillis / Math.max(1, deviceIds.length);
  return { amounts: spec.amounts, deviceIds, shareMillis };
}

export function fits(node: Node, replica: Replica, takers: readonly Taker[]): boolean {
  const { capacity, maxReplicas = LOAD_LIMITS.nodeReplicas.value } = node.spec;
  if (takers.length >= maxReplicas) return false;
  const { amounts, device } = replica.spec.template.ask;
  let { cpuMillis, memoryMiB, deviceMillis } = amounts;
  for (const taker of takers) {
    cpuMillis += taker.amounts.cpuMillis;
    memoryMiB += taker.amounts.memoryMiB;
    deviceMillis += taker.amounts.deviceMillis;
  }
  if (cpuMillis > capacity.cpuMillis || memoryMiB > capacity.memoryMiB) return false;
  if (deviceMillis > capacity.deviceMillis) return false;
  return device === undefined || hasDevices(node, device, takers);
}

const hasDevices = (node: Node, device: DeviceAsk, takers: readonly Taker[]): boolean =>
  unitsFor(node, device, takers).length >= device.count;

/** Devices of the node that are free now, regardless of reservations. */
export function freeDevices(objects: ObjectIndex, node: Node, replica: Replica): readonly string[] {
  const { device } = replica.spec.template.ask;
  return device === undefined ? [] : unitsFor(node, device, takersOn(objects, node.meta.name));
}

export function unitsFor(
  node: Node,
  device: DeviceAsk,
  takers: readonly Taker[],
): readonly string[] {
  const fitting = node.spec.pools
    .filter(({ class: its }) => its === device.class)
    .filter(({ model }) => device.models.length === 0 || device.models.includes(model))
    .flatMap(({ ids }) => ids);
  const isFree = (id: string): boolean => {
    const has = takers.filter(({ deviceIds }) => deviceIds.includes(id));
    const used = has.reduce((all, { shareMillis }) => all + shareMillis, 0);
    return used + device.shareMillis <= 1000;
  };
  return fitting.filter(isFree);
}
