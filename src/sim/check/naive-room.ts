/**
 * Whether a node has room for a replica, added up over the replicas there and over the room that is held there
 * for others. Nothing is remembered between two questions.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { DeviceAsk, Node, Replica, Reservation } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";

/** What takes room: a replica that is there, or one that is to come. */
interface Taker {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly deviceMillis: number;
  readonly deviceIds: readonly string[];
  readonly shareMillis: number;
}

/** Room on a node for everybody but its owner; a reservation of the owner's other lives counts for nobody. */
export function holdsOn(objects: ObjectIndex, node: string): readonly Reservation[] {
  return [...objects.all("Reservation").values()].filter(({ spec }) => spec.room?.node === node);
}

/**
 * Room at this moment, and also once those who were asked to stop have left and those for whom room is held have
 * come: the first alone would let somebody steal what is held.
 */
export function hasRoom(objects: ObjectIndex, node: Node, replica: Replica): boolean {
  if (
    !fits(
      node,
      replica,
      there(objects, node, () => false),
    )
  )
    return false;
  const others = holdsOn(objects, node.meta.name).filter((hold) => !isFor(hold, replica));
  if (others.length === 0) return true;
  return hasRoomWithout(objects, node, replica, new Set());
}

/** Room once those who were asked to stop and all of `gone` have left, beside what is held for others. */
export function hasRoomWithout(
  objects: ObjectIndex,
  node: Node,
  replica: Replica,
  gone: ReadonlySet<ObjectKey>,
): boolean {
  const isGone = ({ key, status }: Replica): boolean =>
    gone.has(key) || status.stopping !== undefined;
  const others = holdsOn(objects, node.meta.name).filter((hold) => !isFor(hold, replica));
  return fits(node, replica, [...there(objects, node, isGone), ...others.map(asTaker)]);
}

const isFor = ({ spec }: Reservation, replica: Replica): boolean =>
  spec.owner === replica.key &&
  spec.ownerUid === replica.meta.uid &&
  spec.life === replica.status.life;

function there(
  objects: ObjectIndex,
  node: Node,
  isGone: (replica: Replica) => boolean,
): readonly Taker[] {
  const takers: Taker[] = [];
  for (const replica of objects.replicasOn(node.meta.name).values()) {
    if (!isHolding(replica) || isGone(replica)) continue;
    const { amounts, device } = replica.spec.template.ask;
    const { deviceIds } = replica.status;
    takers.push({ ...amounts, deviceIds, shareMillis: device?.shareMillis ?? 0 });
  }
  return takers;
}

function asTaker({ spec }: Reservation): Taker {
  const deviceIds = spec.room?.deviceIds ?? [];
  const shareMillis = spec.amounts.deviceMillis / Math.max(1, deviceIds.length);
  return { ...spec.amounts, deviceIds, shareMillis };
}

function fits(node: Node, replica: Replica, takers: readonly Taker[]): boolean {
  const { capacity, maxReplicas } = node.spec;
  if (maxReplicas !== undefined && takers.length >= maxReplicas) return false;
  const { amounts, device } = replica.spec.template.ask;
  const sum = (of: "cpuMillis" | "memoryMiB" | "deviceMillis"): number =>
    takers.reduce((all, taker) => all + taker[of], amounts[of]);
  if (sum("cpuMillis") > capacity.cpuMillis || sum("memoryMiB") > capacity.memoryMiB) return false;
  if (sum("deviceMillis") > capacity.deviceMillis) return false;
  return device === undefined || hasDevices(node, device, takers);
}

const hasDevices = (node: Node, device: DeviceAsk, takers: readonly Taker[]): boolean =>
  unitsFor(node, device, takers).length >= device.count;

/** Devices of the node that the replica could have now, whatever is held for others. */
export function freeDevices(objects: ObjectIndex, node: Node, replica: Replica): readonly string[] {
  const { device } = replica.spec.template.ask;
  return device === undefined
    ? []
    : unitsFor(
        node,
        device,
        there(objects, node, () => false),
      );
}

function unitsFor(node: Node, device: DeviceAsk, takers: readonly Taker[]): readonly string[] {
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
