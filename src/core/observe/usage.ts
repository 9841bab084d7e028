/**
 * What is taken on each node, derived from objects alone: the sum and the devices of the replicas
 * that hold it. Cache and authority both fold changes through this file, so they can disagree about
 * *when*, never about *how much*. What tenants use is kept in `accounts/`.
 */
import type { Amounts } from "../model/amounts.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica, Reservation } from "../model/objects.ts";

/**
 * What is taken of one device: all of it by one replica, or shares by several. Replaced, never
 * edited.
 */
export interface UnitUse {
  readonly usedMillis: number;
  readonly owners: readonly ObjectKey[];
}

export interface NodeUse {
  cpuMillis: number;
  memoryMiB: number;
  deviceMillis: number;
  replicas: number;
  /** By device id; a device of which nothing is taken is not in it. */
  readonly devices: Map<string, UnitUse>;
  /**
   * Room that is held for replicas on their way here; in none of the sums above (`held-room.ts`).
   */
  held: ReadonlyMap<ObjectKey, Reservation>;
}

/** Hardly a node has any, so they share this one. */
export const NOTHING_HELD: NodeUse["held"] = new Map();

export const emptyNodeUse = (): NodeUse => ({
  cpuMillis: 0,
  memoryMiB: 0,
  deviceMillis: 0,
  replicas: 0,
  devices: new Map(),
  held: NOTHING_HELD,
});

export function addToNode(use: NodeUse, amounts: Amounts, sign: 1 | -1): void {
  use.cpuMillis += sign * amounts.cpuMillis;
  use.memoryMiB += sign * amounts.memoryMiB;
  use.deviceMillis += sign * amounts.deviceMillis;
  use.replicas += sign;
}

/** One replica takes or gives back its part of the devices it was given. */
export function addToDevices(
  use: NodeUse,
  { key, spec }: Replica,
  deviceIds: readonly string[],
  sign: 1 | -1,
): void {
  const millis = spec.template.ask.device?.shareMillis ?? 0;
  for (const id of deviceIds) {
    const { usedMillis, owners } = use.devices.get(id) ?? UNUSED;
    // In a view the next owner may arrive before the last one left: each goes for itself only.
    const left = sign === 1 ? [...owners, key] : owners.filter((owner) => owner !== key);
    if (left.length === 0) use.devices.delete(id);
    else use.devices.set(id, { usedMillis: usedMillis + sign * millis, owners: left });
  }
}

/** Begins or ends holding room of the node. */
export function holdRoom(use: NodeUse, key: ObjectKey, held: Reservation | undefined): void {
  const all = new Map(use.held);
  if (held === undefined) all.delete(key);
  else all.set(key, held);
  use.held = all.size === 0 ? NOTHING_HELD : all;
}

const UNUSED: UnitUse = { usedMillis: 0, owners: [] };
