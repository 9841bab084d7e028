/** Node: a machine that replicas run on. */
import { cpuShare, deviceShare, memoryShare } from "./text/amounts-text.ts";
import { nodeStatusSchema } from "./node-schema.ts";
import { showKind } from "./show-kind.ts";
import { healthWord, heldBack, writeNodeStatus } from "./status/node-status.ts";

export const nodeKind = showKind({
  kind: "Node",
  status: nodeStatusSchema,
  showStatus: writeNodeStatus,
  planeConditions: ["Ready", "Schedulable", "ClockSuspect", "LimitsMissing", "Drained"],
  // The names that other schedulers' tools group nodes by.
  derivedLabels: ({ meta, spec }) => ({
    "kubernetes.io/hostname": meta.name,
    "topology.kubernetes.io/region": spec.region,
    "topology.kubernetes.io/zone": spec.zone,
  }),
  columns: [
    {
      name: "Health",
      type: "string",
      description: "The health of the node's agent, and why the node repels new work.",
      cell: healthWord,
    },
    "region",
    "zone",
    {
      name: "CPU",
      type: "string",
      description: "CPUs in use by replicas, of the capacity.",
      cell: ({ meta, spec }, objects) => cpuShare(objects.useOf(meta.name), spec.capacity),
    },
    {
      name: "Memory",
      type: "string",
      description: "Memory in use by replicas, of the capacity.",
      cell: ({ meta, spec }, objects) => memoryShare(objects.useOf(meta.name), spec.capacity),
    },
    {
      name: "Devices",
      type: "string",
      description: "Exclusive devices in use by replicas, of the capacity.",
      cell: ({ meta, spec }, objects) => deviceShare(objects.useOf(meta.name), spec.capacity),
    },
    {
      name: "Replicas",
      type: "integer",
      description: "The number of replicas on the node.",
      isWide: true,
      cell: ({ meta }, objects) => objects.useOf(meta.name).replicas,
    },
    {
      name: "Session",
      type: "integer",
      description: "The agent's session.",
      isWide: true,
      cell: ({ status }) => status.session,
    },
    {
      name: "Held Back By",
      type: "string",
      description: "Why the node repels new work.",
      isWide: true,
      cell: (node) => heldBack(node).join(", "),
    },
  ],
  selectableFields: {
    "spec.region": ({ spec }) => spec.region,
    "spec.zone": ({ spec }) => spec.zone,
    "status.health": ({ status }) => status.health,
  },
});
