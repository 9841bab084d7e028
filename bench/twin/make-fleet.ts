/** A fleet of nodes in zones whose services all serve, as the log of a quiet plane has it. */
import { NOTHING } from "../../src/core/model/amounts.ts";
import { REPLICAS_FINALIZER } from "../../src/core/model/finalizers.ts";
import {
  nodeKey,
  type ObjectKey,
  quotaKey,
  replicaKey,
  tenantKey,
  type Uid,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { AnyObject, Meta, Template } from "../../src/core/model/objects.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";

export interface FleetTask {
  readonly nodes: number;
  readonly replicas: number;
}

export const ZONES = 5;
const REGION = "eu";
const TENANTS = 10;
const WORKLOAD_REPLICAS = 100;
const REPLICA = { ...NOTHING, cpuMillis: 1_000, memoryMiB: 2_048 };
/** When it was last written, on its plane's clock. */
const NOW_MS = 1_800_000_000_000;

/** The replicas take two thirds of the room: a zone less still holds all of them. */
export function makeFleet({ nodes, replicas }: FleetTask): Fleet {
  const perNode = Math.ceil(replicas / nodes);
  const cpuMillis = Math.ceil((perNode * REPLICA.cpuMillis * 3) / 2);
  const memoryMiB = Math.ceil((perNode * REPLICA.memoryMiB * 3) / 2);
  const capacity = { ...NOTHING, cpuMillis, memoryMiB };
  const objects: AnyObject[] = [
    ...Array.from({ length: nodes }, (_, at) => nodeOf(at, capacity)),
    ...Array.from({ length: TENANTS }, (_, at) => tenantOf(at)).flat(),
  ];
  for (let at = 0; at * WORKLOAD_REPLICAS < replicas; at += 1) {
    const count = Math.min(WORKLOAD_REPLICAS, replicas - at * WORKLOAD_REPLICAS);
    objects.push(...workloadOf(at, count, nodes));
  }
  return { source: `${nodes} nodes and ${replicas} replicas`, objects };
}

export const nodeName = (at: number): string => `n${String(at).padStart(5, "0")}`;
export const zoneOf = (at: number): string => `${REGION}-${at % ZONES}`;

const metaOf = (key: ObjectKey, namespace: string, name: string): Meta => ({
  namespace,
  name,
  uid: `made-${key}` as Uid,
  generation: 1,
  revision: 1,
  createdMs: NOW_MS,
  labels: {},
  finalizers: [],
  deletingMs: undefined,
});

function nodeOf(at: number, capacity: typeof REPLICA): AnyObject {
  const name = nodeName(at);
  const key = nodeKey(name);
  return {
    kind: "Node",
    key,
    meta: metaOf(key, "", name),
    spec: {
      region: REGION,
      zone: zoneOf(at),
      capacity,
      pools: [],
      taints: [],
      cordons: [],
      draining: false,
    },
    status: { health: "ready", healthSinceMs: NOW_MS, session: 1, evidence: undefined },
  };
}

const tenantName = (at: number): string => `t${at % TENANTS}`;

function tenantOf(at: number): readonly AnyObject[] {
  const name = tenantName(at);
  const limit = { ...NOTHING, cpuMillis: 1_000_000_000, memoryMiB: 1_000_000_000 };
  return [
    {
      kind: "Tenant",
      key: tenantKey(name),
      meta: metaOf(tenantKey(name), "", name),
      spec: { displayName: name },
      status: {},
    },
    {
      kind: "Quota",
      key: quotaKey(name),
      meta: metaOf(quotaKey(name), name, "default"),
      spec: { limit },
      status: {},
    },
  ];
}

function workloadOf(at: number, count: number, nodes: number): readonly AnyObject[] {
  const namespace = tenantName(at);
  const name = `w${at}`;
  const key = workloadKey(namespace, name);
  const template: Template = {
    ask: { amounts: REPLICA, regions: [], zones: [], nodeSelector: {}, tolerations: [] },
    spread: [],
    priorityClass: "",
    onDisconnect: "stop",
    command: ["run", name],
  };
  const meta = metaOf(key, namespace, name);
  const workload: AnyObject = {
    kind: "Workload",
    key,
    meta: { ...meta, finalizers: [REPLICAS_FINALIZER] },
    spec: { type: "service", replicas: count, template },
    status: { templateGeneration: 1, served: true },
  };
  const replicas = Array.from({ length: count }, (_, index): AnyObject => {
    const of = { tenant: namespace, workload: name, generation: 1, index };
    const own = replicaKey(of);
    const node = nodeName((at * WORKLOAD_REPLICAS + index) % nodes);
    return {
      kind: "Replica",
      key: own,
      meta: metaOf(own, namespace, own.slice(own.lastIndexOf("/") + 1)),
      spec: {
        workload: name,
        workloadUid: meta.uid,
        generation: 1,
        index,
        type: "service",
        template,
      },
      status: {
        stage: "serving",
        stageSinceMs: NOW_MS,
        incarnation: 1,
        failures: 0,
        node,
        session: 1,
        deviceIds: [],
        stopping: undefined,
      },
    };
  });
  return [workload, ...replicas];
}
