/** A start in which classes compete: small nodes that low work fills, and high work that comes when there is no room. */
import type { Desired, IntentOf } from "../../src/core/protocol/command.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  tenantKey,
} from "../../src/core/model/ids.ts";
import type { NodeSpec, Template, WorkloadSpec } from "../../src/core/model/objects.ts";
import type { Picks } from "./picks.ts";
import {
  classKey,
  CLASSES,
  classSpec,
  grace,
  TENANTS,
  type Universe,
  WORKLOADS,
} from "./desired-states.ts";

export const CONTESTED: Universe = {
  nodes: ["n1", "n2"],
  regions: ["east"],
  opening: (universe, picks) => [
    ...TENANTS.map((name) => put(tenantKey(name), tenantOf(name))),
    ...CLASSES.map((name) =>
      put(classKey(name), { kind: "PriorityClass", spec: classSpec(name, picks) }),
    ),
    ...TENANTS.map((name) => put(quotaKey(name), { kind: "Quota", spec: { limit: PLENTY } })),
    ...WORKLOADS.map((key, at) =>
      put(key, { kind: "Workload", spec: workloadOf(PLACES[at] ?? "", picks) }),
    ),
    ...universe.nodes.map((name) => put(nodeKey(name), { kind: "Node", spec: nodeOf(picks) })),
  ],
};

const PLENTY = { cpuMillis: 100_000, memoryMiB: 100_000, deviceMillis: 100_000 } as const;

/** The class of each workload. */
const PLACES = ["low", "", "high"] as const;

const put = (key: ObjectKey, desired: Desired): IntentOf<"put"> => ({
  kind: "put",
  operation: operationId("to be named"),
  key,
  desired,
  labels: {},
  finalizers: [],
  expect: {},
});

const tenantOf = (displayName: string): Desired => ({ kind: "Tenant", spec: { displayName } });

function nodeOf(picks: Picks): NodeSpec {
  return {
    region: "east",
    zone: "a",
    capacity: { cpuMillis: picks.one([1000, 800]), memoryMiB: 1000, deviceMillis: 2000 },
    pools: [{ class: "gpu", model: "", ids: ["d0", "d1"] }],
    ...(picks.onceIn(4) ? { maxReplicas: 2 } : {}),
    taints: [],
    cordons: [],
    draining: false,
  };
}

function workloadOf(priorityClass: string, picks: Picks): WorkloadSpec {
  const device = picks.one([
    undefined,
    { class: "gpu", models: [], count: 1, shareMillis: 1000 },
    { class: "gpu", models: [], count: 1, shareMillis: 500 },
  ]);
  const amounts = {
    cpuMillis: picks.one([400, 300, 500]),
    memoryMiB: picks.one([0, 100]),
    deviceMillis: device?.shareMillis ?? 0,
  };
  const anywhere = { regions: [], zones: [], nodeSelector: {}, tolerations: [] };
  const template: Template = {
    ask: { amounts, ...(device === undefined ? {} : { device }), ...anywhere },
    spread: [],
    priorityClass,
    ...grace(picks),
    onDisconnect: picks.one(["stop", "keep"]),
    command: ["run"],
  };
  const type = picks.one(["service", "batch"] as const);
  const spares = picks.onceIn(3) ? {} : { disruption: { maxUnavailable: picks.one([1, 2, 3, 0]) } };
  return { type, replicas: 4, ...spares, template };
}
