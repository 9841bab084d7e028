/** Small worlds in which a replica or a gang waits. */
import * as fc from "fast-check";
import { workloadKey } from "../../src/core/model/ids.ts";
import type { AnyObject, Node, Quota, Replica } from "../../src/core/model/objects.ts";
import { aNode } from "../builders/a-node.ts";
import { aPolicy, aRevision } from "../builders/a-policy.ts";
import { aQuota } from "../builders/a-quota.ts";
import { aReplica } from "../builders/a-replica.ts";
import { aWorkload } from "../builders/a-workload.ts";
import { anOverride } from "../builders/an-override.ts";

export const API = workloadKey("payments", "api");

export interface WaitingWorld {
  readonly objects: readonly AnyObject[];
  /** The one that is asked about; of a gang, its first member. */
  readonly replica: Replica;
}

const ZONES = ["eu-a", "eu-b", "us-a"] as const;
const regionOf = (zone: string): string => zone.slice(0, 2);
const maybe = <T>(of: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight, arbitrary: of });

const nodes = fc.array(
  fc.record({
    zone: fc.constantFrom(...ZONES),
    cpuMillis: fc.constantFrom(400, 800, 2000),
    memoryMiB: fc.constantFrom(500, 1000),
    devices: fc.constantFrom(0, 2, 3),
    label: maybe(fc.constantFrom("ssd", "hdd"), 3),
    taint: maybe(fc.constantFrom("gpu", "spot")),
    hold: maybe(fc.constantFrom("cordon", "drain", "suspect", "soft")),
    maxReplicas: maybe(fc.constantFrom(1, 2)),
    filler: maybe(fc.constantFrom(100, 300, 400), 3),
    fillerDevices: fc.nat(2),
    near: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

const templates = fc.record({
  cpuMillis: fc.constantFrom(100, 300, 500, 900),
  memoryMiB: fc.constantFrom(10, 300),
  devices: fc.constantFrom(0, 0, 1, 2),
  disk: maybe(fc.constantFrom("ssd", "nvme")),
  zones: maybe(fc.subarray([...ZONES], { minLength: 1 })),
  regions: maybe(fc.constantFrom(["eu"], ["us"])),
  spread: maybe(fc.constantFrom("zone" as const, "node" as const)),
  maxPerNode: maybe(fc.constantFrom(1, 2)),
  tolerates: maybe(fc.constantFrom("gpu", "spot")),
  fixedPorts: maybe(fc.constantFrom({ http: 8080 })),
  near: maybe(fc.constantFrom("near" as const, "apart" as const)),
  priorityClass: fc.constantFrom("", "low"),
});

const quotas = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  {
    weight: 5,
    arbitrary: fc.record({
      cpuMillis: fc.constantFrom(100, 600, 5000),
      memoryMiB: fc.constantFrom(20, 5000),
      region: maybe(fc.constantFrom(100, 500)),
      low: maybe(fc.constantFrom(50, 700)),
      group: fc.boolean(),
    }),
  },
);

const anyDrawn = fc.record({
  nodes,
  template: templates,
  quota: quotas,
  gang: maybe(fc.integer({ min: 2, max: 4 }), 3),
  isQueued: fc.boolean(),
  siblings: fc.nat(2),
  override: maybe(fc.constantFrom("avoid-zone" as const, "freeze-tenant" as const)),
  policy: maybe(fc.constantFrom("zone" as const, "node" as const)),
});

type Drawn = Parameters<typeof worldOf>[0];

/**
 * What chance seldom makes: a gang for which only a cordon or a taint is in the way, and a replica for which only the
 * holders of devices are.
 */
const keptOut: fc.Arbitrary<Drawn> = fc
  .record({
    by: fc.constantFrom("cordon" as const, "taint" as const, "devices" as const),
    nodes: fc.integer({ min: 1, max: 3 }),
    gang: fc.integer({ min: 2, max: 4 }),
    cpuMillis: fc.constantFrom(100, 300),
    isQueued: fc.boolean(),
  })
  .map(({ by, nodes: count, gang, cpuMillis, isQueued }) => {
    const node: Drawn["nodes"][number] = {
      zone: "eu-a",
      cpuMillis: 2000,
      memoryMiB: 1000,
      devices: by === "devices" ? 2 : 0,
      label: undefined,
      taint: by === "taint" ? "gpu" : undefined,
      hold: by === "cordon" ? by : undefined,
      maxReplicas: undefined,
      filler: by === "devices" ? 100 : undefined,
      fillerDevices: 2,
      near: false,
    };
    const free = { disk: undefined, zones: undefined, regions: undefined, spread: undefined };
    const alone = { maxPerNode: undefined, tolerates: undefined, near: undefined };
    const asks = {
      cpuMillis,
      memoryMiB: 10 as const,
      priorityClass: "" as const,
      fixedPorts: undefined,
    };
    const quota = {
      cpuMillis: 5000 as const,
      memoryMiB: 5000 as const,
      region: undefined,
      low: undefined,
    };
    return {
      nodes: Array.from({ length: count }, () => node),
      template: { ...free, ...alone, ...asks, devices: by === "devices" ? 1 : 0 },
      quota: { ...quota, group: false },
      gang: by === "devices" ? undefined : gang,
      isQueued,
      siblings: 0,
      override: undefined,
      policy: undefined,
    };
  });

export const worlds: fc.Arbitrary<WaitingWorld> = fc
  .oneof({ weight: 15, arbitrary: anyDrawn }, { weight: 1, arbitrary: keptOut })
  .map(worldOf);

function worldOf(drawn: {
  readonly nodes: readonly (typeof nodes extends fc.Arbitrary<(infer N)[]> ? N : never)[];
  readonly template: typeof templates extends fc.Arbitrary<infer T> ? T : never;
  readonly quota: typeof quotas extends fc.Arbitrary<infer Q> ? Q : never;
  readonly gang: number | undefined;
  readonly isQueued: boolean;
  readonly siblings: number;
  readonly override: "avoid-zone" | "freeze-tenant" | undefined;
  readonly policy: "zone" | "node" | undefined;
}): WaitingWorld {
  const parts = templateParts(drawn.template);
  const fleet = drawn.nodes.flatMap((each, at) => nodeWithFillers(each, at));
  const size = drawn.gang ?? drawn.siblings + 1;
  const waiting = drawn.isQueued ? ("queued" as const) : ("admitted" as const);
  const usable = fleet.filter((each): each is Node => each.kind === "Node");
  const siblings = drawn.gang === undefined ? drawn.siblings : 0;
  const replicas = Array.from({ length: size }, (_, index) => {
    const node = index < siblings ? usable[index % usable.length]?.meta.name : undefined;
    const stage = node === undefined ? waiting : ("serving" as const);
    // What runs already is so small that it fits everywhere.
    const small = node === undefined ? {} : { cpuMillis: 1, memoryMiB: 1, devices: 0 };
    return aReplica({ ...parts, ...small, index, stage, ...(node === undefined ? {} : { node }) });
  });
  const gang = drawn.gang === undefined ? {} : { gang: { deadlineMs: 60_000 } };
  const workload = aWorkload({ ...parts, replicas: size, ...gang });
  const objects: AnyObject[] = [workload, ...fleet, ...replicas, ...quotaObjects(drawn.quota)];
  if (drawn.override === "avoid-zone") objects.push(anOverride({ target: { zone: "eu-a" } }));
  if (drawn.override === "freeze-tenant") {
    objects.push(anOverride({ action: "freeze-tenant", target: { tenant: "payments" } }));
  }
  if (drawn.policy !== undefined) {
    const spread = [{ by: drawn.policy, maxSkew: 1 }];
    objects.push(aPolicy({ active: "r-1" }), aRevision("r-1", { spread }));
  }
  return { objects, replica: replicas[siblings] as Replica };
}

function templateParts(drawn: Drawn["template"]): Parameters<typeof aReplica>[0] {
  const { disk, zones, regions, spread, maxPerNode, tolerates, near, fixedPorts, ...plain } = drawn;
  const term = { by: "node" as const, labels: { app: "db" } };
  const affinity = {
    required: near === "near" ? [term] : [],
    antiRequired: near === "apart" ? [term] : [],
    preferred: [],
    antiPreferred: [],
  };
  return {
    ...plain,
    ...(disk === undefined ? {} : { nodeSelector: { disk } }),
    ...(zones === undefined ? {} : { zones }),
    ...(regions === undefined ? {} : { regions }),
    ...(spread === undefined ? {} : { spread: [{ by: spread, maxSkew: 1 }] }),
    ...(maxPerNode === undefined ? {} : { maxPerNode }),
    ...(tolerates === undefined ? {} : { tolerations: [{ key: tolerates, value: "" }] }),
    ...(near === undefined ? {} : { affinity }),
    ...(fixedPorts === undefined ? {} : { fixedPorts }),
  };
}

function nodeWithFillers(drawn: Drawn["nodes"][number], at: number): readonly AnyObject[] {
  const { zone, cpuMillis, memoryMiB, devices, label, taint, hold, maxReplicas } = drawn;
  const name = `n${at}`;
  const node = aNode({
    name,
    zone,
    region: regionOf(zone),
    cpuMillis,
    memoryMiB,
    deviceIds: Array.from({ length: devices }, (_, unit) => `${name}-gpu-${unit}`),
    labels: label === undefined ? {} : { disk: label },
    taints: taint === undefined ? [] : [{ key: taint, value: "yes", effect: "no-schedule" }],
    cordons: hold === "cordon" ? [{ holder: "ana", reason: "works" }] : [],
    draining: hold === "drain",
    health: hold === "suspect" ? "suspect" : "ready",
    ...(hold === "soft" ? { supply: "soft" as const } : {}),
    ...(maxReplicas === undefined ? {} : { maxReplicas }),
  });
  if (drawn.filler === undefined) return [node];
  const ids = node.spec.pools.flatMap(({ ids: units }) => units).slice(0, drawn.fillerDevices);
  const filler = aReplica({
    tenant: "shop",
    workload: `filler${at}`,
    cpuMillis: drawn.filler,
    memoryMiB: 400,
    devices: ids.length,
    deviceIds: ids,
    stage: "serving",
    node: name,
  });
  if (!drawn.near) return [node, filler];
  const db = aReplica({
    workload: `db${at}`,
    cpuMillis: 0,
    memoryMiB: 0,
    stage: "serving",
    node: name,
  });
  return [node, filler, { ...db, meta: { ...db.meta, labels: { app: "db" } } }];
}

const partOf = (cpuMillis: number) => ({ cpuMillis, memoryMiB: 5000, deviceMillis: 2000 });

function quotaObjects(drawn: Drawn["quota"]): readonly Quota[] {
  if (drawn === undefined) return [];
  const { cpuMillis, memoryMiB, region, low, group } = drawn;
  const quota = aQuota({ cpuMillis, memoryMiB, deviceMillis: 2000 });
  const spec: Quota["spec"] = {
    ...quota.spec,
    ...(region === undefined ? {} : { regions: { eu: partOf(region) } }),
    ...(low === undefined ? {} : { classes: { low: partOf(low) } }),
    ...(group ? { group: "retail" } : {}),
  };
  const lender = aQuota({ cpuMillis: 300, memoryMiB: 300, deviceMillis: 0 }, "shop");
  const lending = { ...lender, spec: { ...lender.spec, group: "retail" } };
  return [{ ...quota, spec }, ...(group ? [lending] : [])];
}
