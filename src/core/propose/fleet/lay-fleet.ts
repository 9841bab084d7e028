/**
 * Turns the nodes of a view into the columns of a fleet, and asks into the terms of those columns.
 */
import type { Ask, Node } from "../../model/objects.ts";
import { replicaCapOf } from "../../model/limits/replica-cap.ts";
import type { NodeUse } from "../../observe/usage.ts";
import { type AskShape, Fleet, type Resize, type Row, type Unit } from "./fleet.ts";

/** A node without a cap of its own: more replicas than any machine holds. */
const NO_CAP = 0x3fff_ffff;

/** Numbers for classes and models of devices; a number once given is never given to another. */
export class UnitKinds {
  private readonly known: { readonly class: string; readonly model: string }[] = [];
  /** By class and model: a class may contain the slash of "nvidia.com/gpu". */
  private readonly numbers = new Map<string, Map<string, number>>();

  of(deviceClass: string, model: string): number {
    let models = this.numbers.get(deviceClass);
    if (models === undefined) this.numbers.set(deviceClass, (models = new Map()));
    let number = models.get(model);
    if (number === undefined) {
      number = this.known.push({ class: deviceClass, model }) - 1;
      models.set(model, number);
    }
    return number;
  }

  /** One entry per kind there is so far: 1 when it will do for the ask. */
  accepted(deviceClass: string, models: readonly string[]): Uint8Array {
    const accepted = new Uint8Array(this.known.length);
    for (const [number, kind] of this.known.entries()) {
      const isModel = models.length === 0 || models.includes(kind.model);
      if (kind.class === deviceClass && isModel) accepted[number] = 1;
    }
    return accepted;
  }
}

export function rowOf(node: Node, use: NodeUse, kinds: UnitKinds): Row {
  const { capacity, pools } = node.spec;
  const units: Unit[] = [];
  for (const pool of pools) {
    const kind = kinds.of(pool.class, pool.model);
    for (const id of pool.ids) {
      units.push({ id, kind, usedMillis: use.devices.get(id)?.usedMillis ?? 0 });
    }
  }
  return {
    name: node.meta.name,
    cpuMillis: capacity.cpuMillis,
    memoryMiB: capacity.memoryMiB,
    cpuUsedMillis: use.cpuMillis,
    memoryUsedMiB: use.memoryMiB,
    replicasLeft: capOf(node) - use.replicas,
    deviceMillisLeft: capacity.deviceMillis - use.deviceMillis,
    units,
  };
}

const capOf = ({ spec }: Node): number => Math.min(replicaCapOf(spec), NO_CAP);

export const resizeOf = (was: Node, is: Node): Resize => ({
  cpuMillis: is.spec.capacity.cpuMillis - was.spec.capacity.cpuMillis,
  memoryMiB: is.spec.capacity.memoryMiB - was.spec.capacity.memoryMiB,
  replicas: capOf(is) - capOf(was),
});

export function layFleet(
  nodes: Iterable<Node>,
  useOf: (node: string) => NodeUse,
  kinds: UnitKinds,
): Fleet {
  const sorted = [...nodes].toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1));
  return new Fleet(sorted.map((node) => rowOf(node, useOf(node.meta.name), kinds)));
}

export function shapeOf(ask: Ask, kinds: UnitKinds): AskShape {
  const { amounts, device } = ask;
  return {
    cpuMillis: amounts.cpuMillis,
    memoryMiB: amounts.memoryMiB,
    units: device?.count ?? 0,
    unitMillis: device?.shareMillis ?? 0,
    kinds: device === undefined ? undefined : kinds.accepted(device.class, device.models),
  };
}

/**
 * Whether a changed node keeps its row, its places and its units, so that the fleet need not be
 * laid anew.
 */
export function keepsLayout(before: Node, after: Node): boolean {
  if (before.spec.zone !== after.spec.zone || before.spec.region !== after.spec.region) {
    return false;
  }
  return (
    JSON.stringify(before.meta.labels) === JSON.stringify(after.meta.labels) &&
    JSON.stringify(before.spec.pools) === JSON.stringify(after.spec.pools)
  );
}
