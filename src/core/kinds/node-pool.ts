/** NodePool: machines that the plane can request. */
import type { Amounts } from "../model/amounts.ts";
import {
  type NodePoolSpec,
  PACE_NODES_MOST,
  PENDING_FOR_MS,
  POOL_NODES_MOST,
  POOL_TIME_LEAST_MS,
  POOL_TIME_MOST_MS,
  type PoolDevices,
  type PoolRate,
  READY_WITHIN_MS,
} from "../model/node/node-pool.ts";
import { nodesOfPool } from "../observe/pool-nodes.ts";
import { WHOLE_DEVICE_MILLIS } from "../rules/feasibility/devices.ts";
import {
  count,
  duration,
  type FieldsOf,
  labels,
  list,
  name,
  object,
  optional,
  shown,
  usually,
} from "./fields/field.ts";
import {
  CAPACITY,
  DEVICE_CLASS,
  DEVICE_MODEL,
  DEVICES,
  REPLICAS_ON_NODE,
  TAINTS,
  WRITTEN_CAPACITY,
} from "./fields/node-fields.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";
import { stillInUse } from "./still-in-use.ts";
import { writtenAs } from "./written-form.ts";

const TIME = { least: POOL_TIME_LEAST_MS, most: POOL_TIME_MOST_MS } as const;

/** How people write it: the devices stand under the capacity. */
interface WrittenNodePool extends Omit<NodePoolSpec, "capacity" | "pools"> {
  readonly capacity: { readonly amounts: Amounts } & Pick<NodePoolSpec, "pools">;
}

const pools = optional(
  list(
    "Devices, by class and model.",
    object<PoolDevices>("Devices of one class and model on each node.", {
      class: DEVICE_CLASS,
      model: DEVICE_MODEL,
      count: count("The number of devices.", DEVICES),
    }),
    {},
  ),
);

const { region, zone, ...REST }: FieldsOf<Omit<NodePoolSpec, "capacity" | "pools">> = {
  region: name("The region of its nodes.", "Region"),
  zone: name("The zone of that region."),
  labels: optional(labels("Labels of its nodes.")),
  taints: optional(TAINTS),
  maxReplicas: optional(count("The maximum number of replicas on each node.", REPLICAS_ON_NODE)),
  provisioner: shown(
    name("The provisioner of its nodes, by the name that the plane was started with."),
    { name: "Provisioner", about: "The provisioner of its nodes." },
  ),
  maxNodes: shown(
    count("The maximum number of nodes, provisioning ones included.", {
      least: 0,
      most: POOL_NODES_MOST,
    }),
    { name: "Max", about: "The maximum number of nodes, provisioning ones included." },
  ),
  pace: object<PoolRate>("How fast the pool may request nodes.", {
    nodes: count("The maximum number of requests in the period.", {
      least: 1,
      most: PACE_NODES_MOST,
    }),
    periodMs: duration("The time.", TIME),
  }),
  pendingForMs: usually(
    duration("How long a replica must have waited for room before the pool requests a node.", {
      ...TIME,
      least: 0,
    }),
    PENDING_FOR_MS,
  ),
  readyWithinMs: usually(
    duration("How long a requested node may take to join. Then the plane gives up on it.", TIME),
    READY_WITHIN_MS,
  ),
  idleAfterMs: optional(
    duration("A node that is idle for this long is scaled down. Default: never.", TIME),
  ),
};

const millisOf = (devices: readonly PoolDevices[] = []): number =>
  WHOLE_DEVICE_MILLIS * devices.reduce((sum, each) => sum + each.count, 0);

export const nodePoolDefinition: WrittenDefinition<"NodePool"> = {
  kind: "NodePool",
  plural: "nodepools",
  shortNames: ["np"],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: 70,
  about: "A pool of nodes that the plane provisions when work waits only for room.",
  spec: {
    about: "The shape of a node of the pool, its provisioner, and the maximum number of nodes.",
    fields: { region, zone, capacity: CAPACITY, pools, ...REST },
    written: writtenAs<NodePoolSpec, WrittenNodePool>({
      fields: {
        region,
        zone,
        capacity: object<WrittenNodePool["capacity"]>("The capacity of each node for replicas.", {
          amounts: WRITTEN_CAPACITY,
          pools,
        }),
        ...REST,
      },
      read: ({ capacity: { amounts, pools: devices = [] }, ...rest }) => ({
        ...rest,
        capacity: { ...amounts, deviceMillis: millisOf(devices) },
        ...(devices.length === 0 ? {} : { pools: devices }),
      }),
      write: ({ capacity, pools: devices = [], ...rest }) => ({
        ...rest,
        capacity: { amounts: capacity, ...(devices.length === 0 ? {} : { pools: devices }) },
      }),
    }),
    example: {
      name: "eu-west-a",
      spec: {
        region: "eu-west",
        zone: "a",
        capacity: { cpu: 16, memory: "64Gi" },
        provisioner: "cloud",
        maxNodes: 10,
        pace: { nodes: 2, period: "1m" },
      },
    },
    rules: [countedDevices],
  },
  stillUsed: (objects, { key, meta }) => stillInUse(key, nodesOfPool(objects, meta.name)[0]?.key),
};

function countedDevices({ capacity, pools: devices }: NodePoolSpec): BrokenRule | undefined {
  const [found, millis] = [capacity.deviceMillis, millisOf(devices)];
  return found === millis
    ? undefined
    : { field: "capacity.deviceMillis", found, expected: `${millis}` };
}
