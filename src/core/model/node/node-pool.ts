/**
 * Where machines come from when work waits for nothing but room. A pool says what one of its nodes
 * is like and how many there may be; who makes the machines is configuration of the plane, and only
 * its name stands here: an object that named a program would let any writer of objects run code on
 * the plane's machine.
 */
import type { Amounts } from "../amounts.ts";
import type { JobMoment } from "../batch.ts";
import { deviceNames } from "../text/device-names.ts";
import type { ObjectKey } from "../ids.ts";
import type { DevicePool, Labels, Node, NodePool, NodeSpec } from "../objects.ts";
import type { Taint } from "./taint.ts";

/** Devices of one class and model that every node of the pool has. */
export interface PoolDevices {
  readonly class: string;
  /** Empty without a name. */
  readonly model: string;
  readonly count: number;
}

export interface PoolRate {
  /** So many nodes are asked for in any such time. */
  readonly nodes: number;
  readonly periodMs: number;
}

export interface NodePoolSpec {
  readonly region: string;
  readonly zone: string;
  /** What one node has; `deviceMillis` is 1000 for each of the devices below. */
  readonly capacity: Amounts;
  readonly pools?: readonly PoolDevices[];
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly maxReplicas?: number;
  /** The name under which the plane's host knows who makes the machines. */
  readonly provisioner: string;
  /** Live and provisioning together. */
  readonly maxNodes: number;
  readonly pace: PoolRate;
  /** So long must somebody have waited for room; left out: `PENDING_FOR_MS`. */
  readonly pendingForMs?: number;
  /** A provisioning node that has not come by then is given up; left out: `READY_WITHIN_MS`. */
  readonly readyWithinMs?: number;
  /** A node with nothing on it for so long is given back; left out: none is. */
  readonly idleAfterMs?: number;
}

/** What a policy says of all pools of a region together. */
export interface ProvisioningRules {
  /** Of all pools there, live and provisioning. */
  readonly maxNodes?: number;
  /** So many nodes in any `periodMs`; both or none. */
  readonly nodes?: number;
  readonly periodMs?: number;
}

export interface NodePoolStatus {
  /** The number of the last node that was asked for. Left out: none was. */
  readonly asked?: number;
  /** When nodes were asked for, the latest last; as many as the longest pace can count. */
  readonly lately?: readonly JobMoment[];
  /** How many nodes in a row did not come. Left out: the last one did. */
  readonly failures?: number;
  /** The last that did not come, and why. */
  readonly failed?: JobMoment & { readonly reason: string };
}

/**
 * What is known of how a node of a pool came to be; in the node's status for as long as it is
 * there.
 */
export interface Provision {
  readonly asked: JobMoment;
  /** Who waited for it. */
  readonly workload: ObjectKey;
  /** The provisioner has taken it on. */
  readonly accepted?: JobMoment;
  /** The provisioner has said that it will not come, or that it could not be taken away. */
  readonly failed?: string;
  /** Its agent has spoken for the first time. From then on it is hard. */
  readonly arrived?: JobMoment;
  /** It is to be given back: nothing comes to it any more, and it goes when the machine is gone. */
  readonly scalingDown?: JobMoment;
}

/**
 * What a provisioner says of a node: it was asked for one and took it on, the machine is gone, or
 * it cannot be done.
 */
export type ProvisionOutcome = "asked" | "gone" | { readonly failed: string };

/** A minute: what waits for less may find room that somebody leaves. */
export const PENDING_FOR_MS = 60_000;
/** Ten minutes: machines that take longer than that to start are started by people. */
export const READY_WITHIN_MS = 600_000;
/** A day: a longer time is a wrong unit. */
export const POOL_TIME_MOST_MS = 86_400_000;
/** The least that anything takes: a second, within which clocks and looks are not exact. */
export const POOL_TIME_LEAST_MS = 1_000;
/** As many nodes as a plane is made for. */
export const POOL_NODES_MOST = 10_000;
/** As many moments as a pool remembers: with every one of them in its status, it is still small. */
export const PACE_NODES_MOST = 100;

/** The wait after a first failure: a provisioner that was restarted is back by then. */
export const POOL_BACKOFF_FIRST_MS = 10_000;
/** Ten minutes: no pool waits longer than that for a provisioner that works again. */
export const POOL_BACKOFF_MOST_MS = 600_000;

/**
 * How long a pool waits after so many nodes in a row that did not come: twice as long each time, up
 * to a bound (PN5).
 */
export function poolBackoffMs(failures: number): number {
  let waitMs = POOL_BACKOFF_FIRST_MS;
  for (let each = 1; each < failures && waitMs < POOL_BACKOFF_MOST_MS; each += 1) waitMs *= 2;
  return failures === 0 ? 0 : Math.min(waitMs, POOL_BACKOFF_MOST_MS);
}

export const pendingForMs = ({ spec }: NodePool): number => spec.pendingForMs ?? PENDING_FOR_MS;
export const readyWithinMs = ({ spec }: NodePool): number => spec.readyWithinMs ?? READY_WITHIN_MS;

export const nodePoolKey = (name: string): ObjectKey => `NodePool//${name}` as ObjectKey;

/** Who holds a node cordoned that is to be given back. */
export const poolHolder = (pool: string): string => `pool/${pool}`;

/** Of a pool, and its agent has not spoken yet. */
export const isProvisioning = ({ spec }: Pick<Node, "spec">): boolean =>
  spec.pool !== undefined && spec.supply === "soft";

/** What a node of the pool is like before anybody has spoken for it. */
export function poolNodeSpec({
  meta,
  spec,
}: {
  readonly meta: Pick<NodePool["meta"], "name">;
  readonly spec: NodePoolSpec;
}): NodeSpec {
  const pools: DevicePool[] = [];
  for (const { class: of, model, count } of spec.pools ?? []) {
    pools.push({ class: of, model, ids: deviceNames({ class: of, count }, pools) });
  }
  return {
    region: spec.region,
    zone: spec.zone,
    capacity: spec.capacity,
    pools,
    taints: spec.taints ?? [],
    cordons: [],
    draining: false,
    ...(spec.maxReplicas === undefined ? {} : { maxReplicas: spec.maxReplicas }),
    supply: "soft",
    pool: meta.name,
  };
}
