/**
 * The world of most runs: fifty nodes in three regions, three tenants, a dozen workloads of every
 * kind, two schedulers, and people who scale, change, cordon, drain and delete during faults.
 */
import { deviceNames } from "../../core/model/text/device-names.ts";
import type { DevicePool } from "../../core/model/objects.ts";
import { gpus, gpuShare, worldNode, worldWorkload } from "./build-world.ts";
import { NEVER_READY } from "./never-ready.ts";
import type { TimelineEntry, UserAction, World, WorldNode, WorldWorkload } from "./world.ts";

const REGIONS = ["eu-central", "eu-west", "us-east"] as const;
const ZONES = ["a", "b", "c"] as const;
const NODES = 50;
/** Every sixth node has devices, every tenth is tainted. */
const GPU_EVERY = 6;
const TAINT_EVERY = 10;
/** Nodes in a rack fail together; every eighth node takes few replicas, regardless of its room. */
const RACKS = 5;
const CAP_EVERY = 8;

export function standardWorld(): World {
  return {
    name: "standard",
    regions: REGIONS.map((name) => ({ name, zones: ZONES.map((zone) => `${name}-${zone}`) })),
    nodes: Array.from({ length: NODES }, (_, at) => nodeAt(at)),
    tenants: [
      {
        name: "payments",
        quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 },
        sharing: { group: "retail", shrink: "drain" },
      },
      {
        name: "research",
        quota: { cpuMillis: 60_000, memoryMiB: 120_000, deviceMillis: 14_000 },
        sharing: {
          regions: { "us-east": { cpuMillis: 12_000, memoryMiB: 24_000, deviceMillis: 6_000 } },
          classes: { sweeps: { cpuMillis: 8_000, memoryMiB: 12_000, deviceMillis: 0 } },
        },
      },
      {
        name: "web",
        quota: { cpuMillis: 30_000, memoryMiB: 60_000, deviceMillis: 0 },
        sharing: {
          group: "retail",
          borrow: { cpuMillis: 15_000, memoryMiB: 30_000, deviceMillis: 0 },
        },
      },
    ],
    priorityClasses: [{ name: "sweeps", spec: { value: 10, preempts: "never" } }],
    workloads: workloads(),
    schedulers: 2,
    controllersShareView: false,
    timeline: timeline(),
    faultsUntilMs: 120_000,
    healMs: 240_000,
    startUpMs: 2_000,
    batchRunMs: 15_000,
  };
}

function nodeAt(at: number): WorldNode {
  const region = REGIONS[at % REGIONS.length] ?? REGIONS[0];
  const zone = ZONES[Math.floor(at / REGIONS.length) % ZONES.length] ?? ZONES[0];
  const hasGpus = at % GPU_EVERY === 5;
  return worldNode({
    name: `n${String(at + 1).padStart(2, "0")}`,
    region,
    zone: `${region}-${zone}`,
    cpuMillis: hasGpus ? 8_000 : 4_000,
    memoryMiB: hasGpus ? 16_384 : 8_192,
    pools: hasGpus ? gpuPool(at) : [],
    taints:
      at % TAINT_EVERY === 9
        ? [{ key: "dedicated", value: "research", effect: "no-schedule" }]
        : [],
    labels: { disk: at % 2 === 0 ? "ssd" : "hdd", rack: `${at % RACKS}` },
    limits: at % CAP_EVERY === 7 ? { maxReplicas: 4 } : {},
  });
}

const gpuPool = (at: number): readonly DevicePool[] => [
  {
    class: "gpu",
    model: at % (2 * GPU_EVERY) === 5 ? "A100" : "V100",
    ids: deviceNames({ class: "gpu", count: 2 }, []),
  },
];

/** One canary first; then as many at once as may be unavailable. */
const RISK_ROLLOUT = {
  maxSurge: 0,
  maxUnavailable: 2,
  deadlineMs: 14_000,
  steps: [{ replicas: 1, pauseMs: 3_000 }],
} as const;

const small = { cpuMillis: 500, memoryMiB: 512 };
const large = { cpuMillis: 1_500, memoryMiB: 3_072 };

const workloads = (): readonly WorldWorkload[] => [
  ...paymentsWorkloads(),
  ...researchWorkloads(),
  ...otherWorkloads(),
];

function paymentsWorkloads(): readonly WorldWorkload[] {
  return [
    worldWorkload({
      tenant: "payments",
      name: "risk-api",
      replicas: 12,
      amounts: small,
      rollout: RISK_ROLLOUT,
      together: { spread: [{ by: "zone", maxSkew: 1 }] },
    }),
    worldWorkload({
      tenant: "payments",
      name: "ledger",
      replicas: 9,
      amounts: large,
      ask: { regions: ["eu-central", "eu-west"] },
      together: { spread: [{ by: "node", maxSkew: 1 }] },
      onDisconnect: "keep",
    }),
    worldWorkload({
      tenant: "payments",
      name: "gateway",
      replicas: 15,
      amounts: small,
      labels: { app: "gateway" },
      together: { maxPerNode: 2 },
      rollout: { maxSurge: 3, maxUnavailable: 1, deadlineMs: 60_000 },
    }),
    // Two of them on one node would fail together; they prefer to be near the gateways.
    worldWorkload({
      tenant: "payments",
      name: "consensus",
      replicas: 5,
      amounts: small,
      labels: { app: "consensus" },
      together: {
        affinity: {
          required: [],
          preferred: [{ weight: 50, by: "zone", labels: { app: "gateway" } }],
          antiRequired: [{ by: "rack", labels: { app: "consensus" } }],
          antiPreferred: [],
        },
      },
    }),
    worldWorkload({
      tenant: "payments",
      name: "settle",
      type: "batch",
      replicas: 8,
      amounts: small,
    }),
  ];
}

function researchWorkloads(): readonly WorldWorkload[] {
  return [
    worldWorkload({
      tenant: "research",
      name: "train",
      type: "batch",
      replicas: 8,
      amounts: { cpuMillis: 2_000, memoryMiB: 4_096 },
      device: { ...gpus(1), models: ["A100", "V100"] },
      ask: { tolerations: [{ key: "dedicated", value: "research" }] },
    }),
    worldWorkload({
      tenant: "research",
      name: "notebook",
      replicas: 9,
      amounts: { cpuMillis: 500, memoryMiB: 1_024 },
      device: gpuShare(400),
      onDisconnect: "keep",
    }),
    worldWorkload({
      tenant: "research",
      name: "sweep",
      type: "batch",
      priorityClass: "sweeps",
      replicas: 20,
      amounts: small,
      ask: { tolerations: [{ key: "dedicated", value: "" }] },
    }),
    worldWorkload({
      tenant: "research",
      name: "index",
      replicas: 6,
      amounts: large,
      ask: {
        nodeSelector: { disk: "ssd" },
        nodeExpressions: [{ key: "rack", operator: "not-in", values: ["0"] }],
      },
    }),
  ];
}

function otherWorkloads(): readonly WorldWorkload[] {
  return [
    worldWorkload({
      tenant: "web",
      name: "shop",
      replicas: 18,
      amounts: small,
      together: { spread: [{ by: "region", maxSkew: 1 }] },
    }),
    worldWorkload({
      tenant: "web",
      name: "search",
      replicas: 10,
      amounts: large,
      ask: { regions: ["us-east"] },
    }),
    worldWorkload({
      tenant: "web",
      name: "images",
      replicas: 6,
      amounts: small,
      rollout: { maxSurge: 3, maxUnavailable: 0, deadlineMs: 60_000 },
      ask: { zones: ["eu-west-a", "eu-west-b"] },
    }),
    // Half of its members would be of no use; each has a node with room for one.
    worldWorkload({
      tenant: "research",
      name: "ring",
      type: "batch",
      replicas: 6,
      amounts: { cpuMillis: 2_500, memoryMiB: 2_048 },
      ask: { tolerations: [{ key: "dedicated", value: "" }] },
      gang: { deadlineMs: 30_000 },
    }),
    // No node is this large: it waits for the whole run, and must be seen to wait.
    worldWorkload({
      tenant: "web",
      name: "whale",
      replicas: 2,
      amounts: { cpuMillis: 9_000, memoryMiB: 1_024 },
    }),
  ];
}

const RISK = { tenant: "payments", workload: "risk-api" } as const;

const riskRelease = (word: string, version: string): UserAction => ({
  do: "change-template",
  ...RISK,
  command: [word, "risk-api", version],
});

const riskRollout = (paused: boolean): UserAction => ({
  do: "set-rollout",
  ...RISK,
  rollout: { ...RISK_ROLLOUT, paused },
});

function timeline(): readonly TimelineEntry[] {
  const late = worldNode({
    name: "late-1",
    region: "us-east",
    zone: "us-east-a",
    cpuMillis: 4_000,
    memoryMiB: 8_192,
  });
  return [
    { atMs: 15_000, action: { do: "scale", tenant: "web", workload: "shop", replicas: 26 } },
    { atMs: 22_000, action: { do: "cordon", node: "n03", holder: "ops" } },
    { atMs: 28_000, action: { do: "drain", node: "n08" } },
    {
      atMs: 34_000,
      action: {
        do: "change-template",
        tenant: "payments",
        workload: "gateway",
        command: ["run", "gateway", "v2"],
      },
    },
    // A broken release, which rolls back by itself, and the fixed one, with a pause.
    { atMs: 36_000, action: riskRelease(NEVER_READY, "v2") },
    { atMs: 78_000, action: riskRelease("run", "v3") },
    { atMs: 86_000, action: riskRollout(true) },
    { atMs: 98_000, action: riskRollout(false) },
    // By now web has borrowed the unused quota of payments, and payments wants it back.
    {
      atMs: 40_000,
      action: { do: "scale", tenant: "payments", workload: "gateway", replicas: 26 },
    },
    { atMs: 45_000, action: { do: "add-node", node: late } },
    {
      atMs: 52_000,
      action: { do: "scale", tenant: "payments", workload: "risk-api", replicas: 6 },
    },
    {
      atMs: 60_000,
      action: {
        do: "set-quota",
        tenant: "web",
        limit: { cpuMillis: 45_000, memoryMiB: 90_000, deviceMillis: 0 },
      },
    },
    { atMs: 66_000, action: { do: "delete-workload", tenant: "research", workload: "index" } },
    // Less than is in use: the excess is drained.
    {
      atMs: 70_000,
      action: {
        do: "set-quota",
        tenant: "payments",
        limit: { cpuMillis: 25_000, memoryMiB: 50_000, deviceMillis: 0 },
      },
    },
    { atMs: 75_000, action: { do: "undrain", node: "n08" } },
    { atMs: 82_000, action: { do: "uncordon", node: "n03", holder: "ops" } },
    { atMs: 95_000, action: { do: "scale", tenant: "web", workload: "shop", replicas: 12 } },
    {
      atMs: 105_000,
      action: {
        do: "change-template",
        tenant: "web",
        workload: "images",
        command: ["run", "images", "v2"],
      },
    },
  ];
}
