/** What people write: the puts of a small universe, whole or as an edit of what is there. */
import type { Desired, IntentOf } from "../../src/core/protocol/command.ts";
import type { Amounts } from "../../src/core/model/amounts.ts";
import {
  keyOf,
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  regionKey,
  tenantKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type {
  AffinityTerm,
  Ask,
  DeviceAsk,
  DevicePool,
  Labels,
  NodeExpression,
  NodeSpec,
  PriorityClassSpec,
  QuotaSpec,
  Template,
  WorkloadSpec,
} from "../../src/core/model/objects.ts";
import type { Taint, Toleration } from "../../src/core/model/node/taint.ts";
import { find, type ModelState, type Thing } from "./model-state.ts";
import type { Picks } from "./picks.ts";

export interface Universe {
  readonly nodes: readonly string[];
  readonly regions: readonly string[];
  /** What is there at the start; left out: whatever chance makes of it. */
  readonly opening?: (universe: Universe, picks: Picks) => readonly Put[];
}

/** Few names, so that commands meet each other. */
export const SMALL: Universe = { nodes: ["n1", "n2", "n3"], regions: ["east", "east", "west"] };
/** Enough nodes in one region for three silent ones to be fewer than half. */
export const WIDE: Universe = {
  nodes: ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"],
  regions: ["east", "east", "east", "east", "east", "east", "west"],
};

/** The third begins with nothing of its own, so that it can be deleted. */
export const TENANTS = ["red", "blue", "green"] as const;
export const WORKLOADS = [
  workloadKey("red", "web"),
  workloadKey("red", "job"),
  workloadKey("blue", "web"),
] as const;

export const CLASSES = ["high", "low"] as const;

type Put = IntentOf<"put">;

/** Named by whoever sends it. */
const operation = operationId("to be named");

const put = (
  held: Thing | undefined,
  desired: { key: ObjectKey; desired: Desired; picks: Picks; labels?: Labels },
): Put => ({
  kind: "put",
  operation,
  key: desired.key,
  desired: desired.desired,
  labels: desired.labels ?? held?.labels ?? {},
  finalizers: finalizers(held, desired.picks),
  expect: {},
});

/** Of somebody's, and of the plane's own, which most kinds have no use for. */
const HOLDS = [
  ["test/hold"],
  ["test/hold"],
  ["berth.dev/replicas"],
  ["berth.dev/contents", "test/hold"],
] as const;

/** Whoever edits keeps the finalizers, unless it is time to let the object go. */
function finalizers(held: Thing | undefined, picks: Picks): readonly string[] {
  if (held === undefined) return picks.onceIn(4) ? picks.one(HOLDS) : [];
  if (held.deletingMs !== undefined) return picks.onceIn(3) ? held.finalizers : [];
  return picks.onceIn(12) ? [] : held.finalizers;
}

export function nodePut(state: ModelState, universe: Universe, picks: Picks): Put {
  const name = picks.one(universe.nodes);
  const held = find(state, "Node", nodeKey(name));
  const rack = picks.onceIn(2) ? { rack: picks.one(["1", "2"]) } : {};
  const disk = picks.onceIn(4) ? {} : { disk: picks.one(["ssd", "ssd", "hdd"]) };
  const labels: Labels = { ...disk, ...rack };
  const spec =
    held === undefined || picks.onceIn(6)
      ? nodeSpec(universe, picks)
      : editedNode(held.spec, universe, picks);
  const desired = put(held, { key: nodeKey(name), desired: { kind: "Node", spec }, labels, picks });
  return picks.onceIn(6) ? { ...desired, force: true } : desired;
}

function nodePools(picks: Picks): readonly DevicePool[] {
  const deviceClass = picks.one(["gpu", "gpu", "gpu", "tpu"]);
  const model = picks.one(["", "small", "big"]);
  const ids = picks.one([["d0", "d1"], ["d0", "d1"], ["d0"], []]);
  const first: DevicePool = { class: deviceClass, model, ids };
  return picks.onceIn(4) ? [first, { class: "gpu", model: "big", ids: ["d2"] }] : [first];
}

const effect = (picks: Picks): Taint["effect"] =>
  picks.one(["no-schedule", "no-schedule", "prefer-no-schedule"]);

function nodeSpec(universe: Universe, picks: Picks): NodeSpec {
  const pools = nodePools(picks);
  return {
    region: picks.one(universe.regions),
    zone: picks.one(["a", "a", "b"]),
    capacity: {
      cpuMillis: picks.one([1000, 600, 300]),
      memoryMiB: picks.one([1000, 600]),
      deviceMillis: pools.reduce((sum, { ids }) => sum + 1000 * ids.length, 0),
    },
    pools,
    ...(picks.onceIn(7) ? { maxReplicas: picks.one([0, 1, 2]) } : {}),
    ...(picks.onceIn(9) ? { supply: "soft" as const } : {}),
    taints: picks.onceIn(5)
      ? [{ key: "only", value: picks.one(["batch", "gpu"]), effect: effect(picks) }]
      : [],
    cordons: picks.onceIn(12) ? [{ holder: "ops", reason: "test" }] : [],
    draining: false,
  };
}

function editedNode(spec: NodeSpec, universe: Universe, picks: Picks): NodeSpec {
  const { cordons, taints } = spec;
  switch (picks.next() % 6) {
    case 0:
      // People are called by their role here, so "ops" is somebody else, and in vain.
      return {
        ...spec,
        cordons:
          cordons.length > 0 ? [] : [{ holder: picks.onceIn(5) ? "ops" : "user", reason: "test" }],
      };
    case 1:
      return spec.draining ? { ...spec, draining: false } : drained(spec, picks);
    case 2: {
      const value = picks.one(["batch", "gpu"]);
      return {
        ...spec,
        taints: taints.length > 0 ? [] : [{ key: "only", value, effect: "no-schedule" }],
      };
    }
    case 3:
      return { ...spec, region: picks.one(universe.regions) };
    // Held back nodes are let go again more often than they are held, or nothing would be placed.
    default:
      return { ...spec, cordons: [], taints: [], draining: false, supply: "hard" };
  }
}

/** By nobody in particular, by who asks for it, or in vain by somebody else; with a deadline or without. */
function drained(spec: NodeSpec, picks: Picks): NodeSpec {
  const { drain: _drain, ...rest } = spec;
  if (picks.onceIn(3)) return { ...rest, draining: true };
  const holder = picks.onceIn(5) ? "ops" : "user";
  const deadlineMs = picks.one([1, 1, 20_000, 60_000]);
  const atDeadline = picks.one(["stop", "force", "force"] as const);
  const ends = picks.onceIn(5) ? {} : { deadlineMs, atDeadline };
  return { ...rest, draining: true, drain: { holder, reason: "test", ...ends } };
}

export function quotaPut(state: ModelState, picks: Picks): Put {
  const key = quotaKey(picks.one(TENANTS));
  const held = find(state, "Quota", key);
  const limit = {
    cpuMillis: picks.one([3000, 2000, 1000, 400]),
    memoryMiB: picks.one([3000, 2000, 1000, 300]),
    deviceMillis: picks.one([9000, 4000, 3000, 1500]),
  };
  const keep = held !== undefined && (held.deletingMs !== undefined || picks.onceIn(3));
  const spec = keep ? held.spec : { limit, ...sharing(picks) };
  return put(held, { key, desired: { kind: "Quota", spec }, picks });
}

function sharing(picks: Picks): Omit<QuotaSpec, "limit"> {
  const part = (): Amounts => ({
    cpuMillis: picks.one([0, 500, 1500]),
    memoryMiB: picks.one([500, 1000, 2000]),
    deviceMillis: picks.one([0, 2000]),
  });
  const isMember = picks.onceIn(2);
  return {
    ...(isMember ? { group: "g" } : {}),
    ...(isMember && picks.onceIn(2) ? { borrow: part() } : {}),
    ...(picks.onceIn(5) ? { regions: { [picks.one(["east", "west"])]: part() } } : {}),
    ...(picks.onceIn(5) ? { classes: { [picks.one(["", "high"])]: part() } } : {}),
    ...(picks.onceIn(3) ? { shrink: picks.one(["wait", "drain"] as const) } : {}),
  };
}

export function workloadPut(state: ModelState, picks: Picks): Put {
  const key = picks.one(WORKLOADS);
  const held = find(state, "Workload", key);
  const labels = picks.one<Labels>([{}, { tier: "a" }, { team: "core" }, { tier: "b" }]);
  const spec = workloadSpec(held?.spec, held?.deletingMs !== undefined, picks);
  return put(held, { key, desired: { kind: "Workload", spec }, labels, picks });
}

function workloadSpec(
  held: WorkloadSpec | undefined,
  leaving: boolean,
  picks: Picks,
): WorkloadSpec {
  if (held !== undefined && leaving && !picks.onceIn(4)) return held;
  const replicas = picks.one([3, 4, 2, 3, 4, 1, 0]);
  if (held === undefined || picks.onceIn(5)) {
    const type = picks.one(["service", "batch"] as const);
    return { type, replicas, ...gang(picks), ...disruption(picks), template: template(picks) };
  }
  if (picks.onceIn(4)) return held;
  const { gang: before, ...rest } = held;
  const kept = before === undefined ? {} : { gang: before };
  return { ...rest, replicas, ...(picks.onceIn(4) ? gang(picks) : kept) };
}

/** Some can spare nobody, some one or two; most say nothing of it. */
const disruption = (picks: Picks): Pick<WorkloadSpec, "disruption"> =>
  picks.onceIn(3) ? { disruption: { maxUnavailable: picks.one([1, 0, 2]) } } : {};

/** Not most of them: a gang is placed whole, and what is placed one by one has rules of its own to meet. */
const gang = (picks: Picks): Pick<WorkloadSpec, "gang"> =>
  picks.onceIn(4) ? { gang: { deadlineMs: picks.one([60_000, 1, 86_400_000]) } } : {};

function deviceAsk(picks: Picks): DeviceAsk | undefined {
  const models = picks.onceIn(4) ? picks.one([["big"], ["big", "small"], ["none"]]) : [];
  const of = { class: "gpu", models };
  return picks.one([
    undefined,
    { ...of, count: 1, shareMillis: 1000 },
    { ...of, count: 2, shareMillis: 1000 },
    { ...of, count: 1, shareMillis: picks.one([500, 501, 250]) },
  ]);
}

function toleration(picks: Picks): Toleration {
  if (picks.onceIn(5)) return { key: "", value: "", effect: effect(picks) };
  return { key: "only", value: picks.one(["", "batch", "gpu"]) };
}

function expressions(picks: Picks): Pick<Ask, "nodeExpressions"> {
  if (!picks.onceIn(7)) return {};
  const said = picks.one<NodeExpression>([
    { key: "disk", operator: "in", values: ["ssd"] },
    { key: "disk", operator: "not-in", values: ["ssd"] },
    { key: "disk", operator: "exists", values: [] },
    { key: "rack", operator: "does-not-exist", values: [] },
    { key: "rack", operator: "gt", values: ["1"] },
    { key: "rack", operator: "lt", values: ["2"] },
  ]);
  return { nodeExpressions: [said] };
}

/** Labels of workloads are few, so that terms find somebody. */
function together(picks: Picks): Pick<Template, "affinity" | "maxPerNode"> {
  const term: AffinityTerm = {
    by: picks.one(["node", "zone", "region", "rack"]),
    labels: picks.one<Labels>([{}, { tier: "a" }, { tier: "b" }]),
    ...(picks.onceIn(3) ? { tenants: ["red", "blue"] } : {}),
  };
  const none = { required: [], preferred: [], antiRequired: [], antiPreferred: [] };
  return {
    ...(picks.onceIn(3) ? { affinity: { ...none, antiRequired: [term] } } : {}),
    ...(picks.onceIn(2) ? { maxPerNode: picks.one([1, 1, 2]) } : {}),
  };
}

function template(picks: Picks): Template {
  const device = deviceAsk(picks);
  return {
    ask: {
      amounts: {
        // Sizes that come to one more than there is, and to exactly as much.
        cpuMillis: picks.one([200, 100, 500, 501, 0]),
        memoryMiB: picks.one([100, 0, 300]),
        deviceMillis: device === undefined ? 0 : device.count * device.shareMillis,
      },
      ...(device === undefined ? {} : { device }),
      regions: picks.onceIn(6) ? ["east"] : [],
      zones: picks.onceIn(6) ? ["a"] : [],
      nodeSelector: picks.onceIn(7) ? { disk: "ssd" } : {},
      ...expressions(picks),
      tolerations: picks.onceIn(2) ? [toleration(picks)] : [],
      ...(picks.onceIn(3) ? { fixedPorts: { http: picks.one([8080, 9090]) } } : {}),
      // No agent says anything of drivers here, so a node whose agent spoke runs plain processes.
      ...(picks.onceIn(9) ? { driver: picks.one(["sandbox", "process"]) } : {}),
    },
    spread: [],
    ...together(picks),
    priorityClass: picks.one(["", "", "", ...CLASSES]),
    ...grace(picks),
    onDisconnect: picks.one(["stop", "keep"]),
    command: [picks.one(["run", "run-again"])],
  };
}

/** How a process is run says nothing to the authority but how long it takes to stop. */
export const grace = (picks: Picks): Pick<Template, "run"> =>
  picks.onceIn(3)
    ? { run: { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 5_000 } }
    : {};

/** Everything that decides who takes whose place: values, bands, who takes none and who gives none up. */
export function classSpec(name: (typeof CLASSES)[number], picks: Picks): PriorityClassSpec {
  const value = name === "high" ? picks.one([20, 20, 30, 10]) : picks.one([10, 10, 15, 20]);
  return {
    value,
    ...(picks.onceIn(4) ? { band: picks.one(["b", ""]) } : {}),
    ...(picks.onceIn(6) ? { preempts: picks.one(["never", "lower"] as const) } : {}),
    ...(picks.onceIn(6) ? { preemptible: picks.onceIn(2) } : {}),
  };
}

export const classKey = (name: string): ObjectKey =>
  keyOf({ kind: "PriorityClass", namespace: "", name });

/** The kinds whose content the authority never looks into, and classes. */
export function plainPut(state: ModelState, picks: Picks): Put {
  const tenant = tenantKey(picks.one(TENANTS));
  const note = picks.one(["one", "two"]);
  const choices: readonly { key: ObjectKey; desired: Desired }[] = [
    { key: tenant, desired: { kind: "Tenant", spec: { displayName: note } } },
    { key: regionKey("east"), desired: { kind: "Region", spec: { zones: [note] } } },
    ...CLASSES.map((name) => ({
      key: classKey(name),
      desired: { kind: "PriorityClass", spec: classSpec(name, picks) } as const,
    })),
  ];
  const desired = picks.one(choices);
  const held = state.things.find(({ key }) => key === desired.key);
  return put(held, { ...desired, picks });
}

/** Everything on its way out is let go as it is, but for its finalizers. */
export function lettingGo(state: ModelState): Put[] {
  return state.things.flatMap((held) => {
    if (held.deletingMs === undefined || !("spec" in held)) return [];
    const { kind, key, labels, spec } = held;
    const desired = { kind, spec } as Desired;
    return [{ kind: "put", operation, key, desired, labels, finalizers: [], expect: {} }];
  });
}

/** What a healthy start needs, so that moves are not spent on it. */
export function openingPuts(state: ModelState, picks: Picks): readonly Put[] {
  return [
    ...TENANTS.map((name) => {
      const desired: Desired = { kind: "Tenant", spec: { displayName: name } };
      return put(undefined, { key: tenantKey(name), desired, picks });
    }),
    ...CLASSES.map((name) => {
      const desired: Desired = { kind: "PriorityClass", spec: classSpec(name, picks) };
      return put(undefined, { key: classKey(name), desired, picks });
    }),
    ...["red", "blue"].map((name) => ({ ...quotaPut(state, picks), key: quotaKey(name) })),
    ...WORKLOADS.map((key) => ({ ...workloadPut(state, picks), key })),
  ];
}

export function openingNodes(universe: Universe, picks: Picks): readonly Put[] {
  return universe.nodes.map((name) => {
    const spec = nodeSpec(universe, picks);
    const labels: Labels = picks.onceIn(3) ? {} : { disk: "ssd", rack: picks.one(["1", "2"]) };
    return put(undefined, { key: nodeKey(name), desired: { kind: "Node", spec }, labels, picks });
  });
}
