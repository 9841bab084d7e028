/** The nodes that came of a pool, or will, and what the next one is called. */
import { nodeKey } from "../model/ids.ts";
import { type NodeDriver, PLAIN_DRIVERS } from "../model/node/driver-name.ts";
import { isProvisioning } from "../model/node/node-pool.ts";
import type { Node, NodePool } from "../model/objects.ts";
import type { ObjectIndex } from "./object-index.ts";

const byName = (a: Node, b: Node): number => (a.key < b.key ? -1 : 1);

/** In the order of their names. */
export const nodesOfPool = (objects: ObjectIndex, pool: string): readonly Node[] =>
  [...objects.all("Node").values()].filter(({ spec }) => spec.pool === pool).toSorted(byName);

/** Of all pools of the region. */
export const poolNodesIn = (objects: ObjectIndex, region: string): readonly Node[] =>
  [...objects.all("Node").values()].filter(
    ({ spec }) => spec.pool !== undefined && spec.region === region,
  );

/** Asked for and not there yet, of whichever pool, in the order of their names. */
export const provisioningNodes = (objects: ObjectIndex): readonly Node[] =>
  [...objects.all("Node").values()].filter(isProvisioning).toSorted(byName);

/**
 * What a new machine of the pool is expected to run: every driver that one of its machines has.
 * Undefined: none has an agent that spoke, so nothing is known. A pool whose machines lack a
 * driver would otherwise be asked for one after the other, and none would help.
 */
export function driversOfPool(
  objects: ObjectIndex,
  pool: string,
): readonly NodeDriver[] | undefined {
  const spoken = nodesOfPool(objects, pool).filter(({ status }) => status.session > 0);
  if (spoken.length === 0) return undefined;
  const usable = spoken
    .flatMap(({ status }) => status.drivers ?? PLAIN_DRIVERS)
    .filter(({ lacks }) => lacks === undefined);
  return [...new Map(usable.map((driver) => [driver.name, driver])).values()];
}

/**
 * The number of the next node; a name that a node has, or that replicas hold of one that was
 * deleted, is passed over.
 */
export function nextPoolNumber(objects: ObjectIndex, { meta, status }: NodePool): number {
  let number = (status.asked ?? 0) + 1;
  while (isTaken(objects, poolNodeName(meta.name, number))) number += 1;
  return number;
}

const isTaken = (objects: ObjectIndex, name: string): boolean =>
  objects.node(nodeKey(name)) !== undefined || objects.replicasOn(name).size > 0;

export const poolNodeName = (pool: string, number: number): string => `${pool}-${number}`;
