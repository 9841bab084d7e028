/** A node that is ready, empty and open to everybody, unless told otherwise. */
import { nodeKey } from "../../src/core/model/ids.ts";
import type { Meta, Node, NodeSpec, NodeStatus } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";

type SpecParts = Partial<Omit<NodeSpec, "capacity" | "drain">> & {
  /** On which terms it is drained; `drain` is how far that has come. */
  readonly terms?: NodeSpec["drain"];
  readonly cpuMillis?: number;
  readonly memoryMiB?: number;
  /** Ids of devices in one pool without a model; the capacity follows. */
  readonly deviceIds?: readonly string[];
  readonly deviceClass?: string;
};

export type NodeParts = SpecParts &
  Partial<NodeStatus> &
  Partial<Pick<Meta, "name" | "labels" | "deletingMs" | "revision">>;

export function aNodeSpec(of: SpecParts = {}): NodeSpec {
  const { deviceIds = [], deviceClass = "gpu" } = of;
  const pool = { class: deviceClass, model: "", ids: deviceIds };
  const pools = of.pools ?? (deviceIds.length === 0 ? [] : [pool]);
  return {
    region: of.region ?? "eu",
    zone: of.zone ?? "eu-a",
    capacity: {
      cpuMillis: of.cpuMillis ?? 1000,
      memoryMiB: of.memoryMiB ?? 1000,
      deviceMillis: pools.reduce((sum, { ids }) => sum + 1000 * ids.length, 0),
    },
    pools,
    taints: of.taints ?? [],
    cordons: of.cordons ?? [],
    draining: of.draining ?? false,
    ...(of.terms === undefined ? {} : { drain: of.terms }),
    ...(of.maxReplicas === undefined ? {} : { maxReplicas: of.maxReplicas }),
    ...(of.supply === undefined ? {} : { supply: of.supply }),
  };
}

export function aNode(of: NodeParts = {}): Node {
  const { name = "a-1", labels = {}, deletingMs, revision = 1 } = of;
  const key = nodeKey(name);
  return {
    kind: "Node",
    key,
    meta: aMeta(key, { labels, deletingMs, revision }),
    spec: aNodeSpec(of),
    status: {
      health: of.health ?? "ready",
      healthSinceMs: of.healthSinceMs ?? 0,
      session: of.session ?? 1,
      evidence: of.evidence,
      ...(of.damped === undefined ? {} : { damped: of.damped }),
      ...(of.clock === undefined ? {} : { clock: of.clock }),
      ...(of.drivers === undefined ? {} : { drivers: of.drivers }),
      ...(of.drain === undefined ? {} : { drain: of.drain }),
    },
  };
}
