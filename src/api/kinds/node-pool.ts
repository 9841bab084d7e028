/** NodePool: where machines come from when work waits for nothing but room. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import {
  type NodePoolSpec,
  PACE_NODES_MOST,
  PENDING_FOR_MS,
  POOL_NODES_MOST,
  POOL_TIME_LEAST_MS,
  POOL_TIME_MOST_MS,
  READY_WITHIN_MS,
} from "../../core/model/node/node-pool.ts";
import { formatDuration } from "../../quantity/duration.ts";
import type { FieldMistake } from "../api-kind.ts";
import { duration, fields, labelMap, name, quantity, wholeNumber, word } from "../schema/shapes.ts";
import { cpuText, memoryText } from "./text/amounts-text.ts";
import { defineKind } from "./define-kind.ts";
import { WHOLE_MILLIS } from "./text/device-text.ts";
import { MOST_REPLICAS, taintSchema } from "./node-schema.ts";
import { readTaints, writeTaint } from "./node-spec.ts";
import { nodePoolStatus, nodesOf, writeNodePoolStatus } from "./status/node-pool-status.ts";
import { SpecReader } from "./spec-reader.ts";

/** No machine has more of them than this. */
const MOST_DEVICES = 1024;

const TIME = { least: POOL_TIME_LEAST_MS, most: POOL_TIME_MOST_MS };
const PENDING = { ...TIME, least: 0 };

const devices = fields("Devices of one class and model on each node.", {
  class: word("The class that workloads request, such as gpu."),
  model: Type.Optional(word("The model, such as A100. Default: none.")),
  count: wholeNumber("The number of devices.", { from: 1, to: MOST_DEVICES }),
});

const spec = fields(
  "The shape of a node of the pool, its provisioner, and the maximum number of nodes.",
  {
    region: name("The region of its nodes."),
    zone: name("The zone of that region."),
    capacity: fields("The capacity of each node for replicas.", {
      cpu: quantity("CPUs, such as 8 or 7500m."),
      memory: quantity("Memory, such as 32Gi."),
      pools: Type.Optional(Type.Array(devices, { description: "Devices, by class and model." })),
    }),
    labels: Type.Optional(labelMap("Labels of its nodes.")),
    taints: Type.Optional(
      Type.Array(taintSchema, {
        description: "Taints: they repel work that does not tolerate them.",
      }),
    ),
    maxReplicas: Type.Optional(
      wholeNumber("The maximum number of replicas on each node.", { from: 0, to: MOST_REPLICAS }),
    ),
    provisioner: name("The provisioner of its nodes, by the name that the plane was started with."),
    maxNodes: wholeNumber("The maximum number of nodes, provisioning ones included.", {
      from: 0,
      to: POOL_NODES_MOST,
    }),
    pace: fields("How fast the pool may request nodes.", {
      nodes: wholeNumber("The maximum number of requests in the period.", {
        from: 1,
        to: PACE_NODES_MOST,
      }),
      period: duration("The time.", TIME),
    }),
    pendingFor: Type.Optional(
      duration(
        "How long a replica must have waited for room before the pool requests a node.",
        PENDING,
        formatDuration(PENDING_FOR_MS),
      ),
    ),
    readyWithin: Type.Optional(
      duration(
        "How long a requested node may take to join. Then the plane gives up on it.",
        TIME,
        formatDuration(READY_WITHIN_MS),
      ),
    ),
    idleAfter: Type.Optional(
      duration("A node that is idle for this long is scaled down. Default: never.", TIME),
    ),
  },
);
type Written = Type.Static<typeof spec>;

export const nodePoolKind = defineKind({
  kind: "NodePool",
  description: "A pool of nodes that the plane provisions when work waits only for room.",
  spec,
  status: nodePoolStatus,
  columns: [
    {
      name: "Provisioner",
      type: "string",
      description: "The provisioner of its nodes.",
      cell: (pool) => pool.spec.provisioner,
    },
    {
      name: "Zone",
      type: "string",
      description: "The region and zone of its nodes.",
      cell: (pool) => `${pool.spec.region}/${pool.spec.zone}`,
    },
    {
      name: "Nodes",
      type: "integer",
      description: "The number of nodes that have joined.",
      cell: (pool, objects) => nodesOf(pool, objects).live,
    },
    {
      name: "Provisioning",
      type: "integer",
      description: "The number of provisioning nodes.",
      cell: (pool, objects) => nodesOf(pool, objects).provisioning,
    },
    {
      name: "Max",
      type: "integer",
      description: "The maximum number of nodes, provisioning ones included.",
      cell: (pool) => pool.spec.maxNodes,
    },
    {
      name: "Failures",
      type: "integer",
      description: "The number of consecutive nodes that did not join.",
      cell: (pool) => pool.status.failures ?? 0,
    },
    {
      name: "Last failure",
      type: "string",
      description: "Why the last node did not join; empty after a node joins.",
      cell: (pool) => pool.status.failed?.reason ?? "",
    },
  ],
  toApi: (pool, objects) => ({
    spec: writeSpec(pool.spec),
    status: writeNodePoolStatus(pool, objects),
  }),
  toDesired: readSpec,
});

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const of = written as Written;
  const reader = new SpecReader();
  const { pools = [] } = of.capacity;
  const count = pools.reduce((sum, each) => sum + each.count, 0);
  const read: NodePoolSpec = {
    region: of.region,
    zone: of.zone,
    capacity: reader.amounts("spec.capacity", of.capacity, count * WHOLE_MILLIS),
    ...(pools.length === 0
      ? {}
      : { pools: pools.map(({ model = "", ...each }) => ({ ...each, model })) }),
    ...(of.labels === undefined ? {} : { labels: of.labels }),
    ...(of.taints === undefined ? {} : { taints: readTaints(of.taints) }),
    ...(of.maxReplicas === undefined ? {} : { maxReplicas: of.maxReplicas }),
    provisioner: of.provisioner,
    maxNodes: of.maxNodes,
    pace: {
      nodes: of.pace.nodes,
      periodMs: reader.durationMs("spec.pace.period", of.pace.period, TIME),
    },
    ...readTimes(of, reader),
  };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "NodePool", spec: read };
}

type Times = Pick<NodePoolSpec, "pendingForMs" | "readyWithinMs" | "idleAfterMs">;

function readTimes({ pendingFor, readyWithin, idleAfter }: Written, reader: SpecReader): Times {
  const read = (field: string, text: string, least = TIME): number =>
    reader.durationMs(`spec.${field}`, text, least);
  return {
    ...(pendingFor === undefined ? {} : { pendingForMs: read("pendingFor", pendingFor, PENDING) }),
    ...(readyWithin === undefined ? {} : { readyWithinMs: read("readyWithin", readyWithin) }),
    ...(idleAfter === undefined ? {} : { idleAfterMs: read("idleAfter", idleAfter) }),
  };
}

function writeSpec(of: NodePoolSpec): Written {
  const { region, zone, capacity, pools = [], labels, taints, maxReplicas } = of;
  return {
    region,
    zone,
    capacity: {
      cpu: cpuText(capacity.cpuMillis),
      memory: memoryText(capacity.memoryMiB),
      ...(pools.length === 0
        ? {}
        : {
            pools: pools.map(({ model, ...each }) => ({
              ...each,
              ...(model === "" ? {} : { model }),
            })),
          }),
    },
    ...(labels === undefined ? {} : { labels }),
    ...(taints === undefined ? {} : { taints: taints.map(writeTaint) }),
    ...(maxReplicas === undefined ? {} : { maxReplicas }),
    provisioner: of.provisioner,
    maxNodes: of.maxNodes,
    pace: { nodes: of.pace.nodes, period: formatDuration(of.pace.periodMs) },
    ...writeTimes(of),
  };
}

const writeTimes = ({ pendingForMs, readyWithinMs, idleAfterMs }: Times) => ({
  ...(pendingForMs === undefined ? {} : { pendingFor: formatDuration(pendingForMs) }),
  ...(readyWithinMs === undefined ? {} : { readyWithin: formatDuration(readyWithinMs) }),
  ...(idleAfterMs === undefined ? {} : { idleAfter: formatDuration(idleAfterMs) }),
});
