/**
 * Small worlds in which a replica or a gang waits, and what becomes of them when a suggested change is made for
 * real: room is given back by the replicas that hold it, and the scheduler places what waits.
 */
import * as fc from "fast-check";
import { nodeKey, quotaKey, workloadKey } from "../../src/core/model/ids.ts";
import type { AnyObject, Node, Quota, Replica, Template } from "../../src/core/model/objects.ts";
import { NOTHING } from "../../src/core/model/amounts.ts";
import { overrideKey } from "../../src/core/model/override.ts";
import { ObjectIndex } from "../../src/core/observe/object-index.ts";
import { View } from "../../src/core/observe/view.ts";
import { createAdmit } from "../../src/core/propose/admit.ts";
import { createPlace } from "../../src/core/propose/place.ts";
import type { Remedy } from "../../src/core/rules/obstacles/remedy.ts";
import { aNode } from "../builders/a-node.ts";
import { aPolicy, aRevision } from "../builders/a-policy.ts";
import { aQuota } from "../builders/a-quota.ts";
import { aReplica } from "../builders/a-replica.ts";
import { aLook } from "../builders/a-turn.ts";
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
    const node = {
      zone: "eu-a" as const,
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
    const asks = { cpuMillis, memoryMiB: 10, priorityClass: "", fixedPorts: undefined };
    const quota = { cpuMillis: 5000, memoryMiB: 5000, region: undefined, low: undefined };
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

export function indexOf(objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

/** The world after the change, made for real. Undefined: it cannot be made there. */
export function changed(
  objects: readonly AnyObject[],
  remedy: Remedy,
  replica: Replica,
): readonly AnyObject[] | undefined {
  const on = (name: string, change: (node: Node) => Node): readonly AnyObject[] =>
    objects.map((each) => (each.key === nodeKey(name) ? change(each as Node) : each));
  const asking = (change: (template: Template) => Partial<Template>): readonly AnyObject[] =>
    objects.map((each) => {
      if (each.kind !== "Replica" || each.spec.workload !== "api") return each;
      if (each.status.node !== undefined) return each;
      const { template } = each.spec;
      return { ...each, spec: { ...each.spec, template: { ...template, ...change(template) } } };
    });
  switch (remedy.kind) {
    case "free":
      return withoutAmount(objects, remedy);
    case "free-devices":
      return withoutDevices(objects, remedy, replica);
    case "free-place":
      return on(remedy.node, (node) => ({
        ...node,
        spec: { ...node.spec, maxReplicas: (node.spec.maxReplicas ?? 0) + 1 },
      }));
    case "uncordon":
      return on(remedy.node, (node) => ({ ...node, spec: { ...node.spec, cordons: [] } }));
    case "end-drain":
      return on(remedy.node, (node) => ({ ...node, spec: { ...node.spec, draining: false } }));
    case "release-override":
      return objects.filter(({ key }) => key !== overrideKey(remedy.override));
    case "grant-budget":
      return undefined;
    case "tolerate":
      return asking(({ ask }) => ({
        ask: { ...ask, tolerations: [...ask.tolerations, { key: remedy.taint.key, value: "" }] },
      }));
    case "drop-label":
    case "drop-expression":
      return asking(({ ask }) => ({ ask: { ...ask, nodeSelector: {} } }));
    case "drop-fixed-port":
      return asking(({ ask }) => ({ ask: { ...ask, fixedPorts: {} } }));
    case "allow-region":
      return asking(({ ask }) => ({ ask: { ...ask, regions: [...ask.regions, remedy.region] } }));
    case "allow-zone":
      return asking(({ ask }) => ({ ask: { ...ask, zones: [...ask.zones, remedy.zone] } }));
    case "loosen-spread":
      return asking(({ spread }) => ({
        spread: spread.map((each) =>
          each.by === remedy.by ? { ...each, maxSkew: remedy.maxSkew } : each,
        ),
      }));
    case "raise-max-per-node":
      return asking(() => ({ maxPerNode: remedy.to }));
    case "raise-quota":
      return objects.map((each) =>
        each.key === quotaKey("payments") ? raised(each as Quota, remedy) : each,
      );
    case "create-quota":
      return [...objects, aQuota(remedy.amounts)];
    case "add-node": {
      const { region, zone, amounts, device, count = 1 } = remedy;
      const { nodeSelector } = replica.spec.template.ask;
      const added = Array.from({ length: count }, (_, at) =>
        aNode({
          name: `added-${at}`,
          region,
          zone,
          labels: { ...nodeSelector },
          cpuMillis: amounts.cpuMillis,
          memoryMiB: amounts.memoryMiB,
          deviceIds: Array.from({ length: device?.count ?? 0 }, (__, unit) => `new-${at}-${unit}`),
        }),
      );
      return [...objects, ...added];
    }
  }
}

function withoutAmount(
  objects: readonly AnyObject[],
  { node, name, amount }: Extract<Remedy, { kind: "free" }>,
): readonly AnyObject[] | undefined {
  let left = amount;
  const after = objects.map((each) => {
    if (each.kind !== "Replica" || each.status.node !== node) return each;
    const { template } = each.spec;
    const { amounts } = template.ask;
    const freed = Math.min(left, amounts[name]);
    left -= freed;
    const ask = { ...template.ask, amounts: { ...amounts, [name]: amounts[name] - freed } };
    return { ...each, spec: { ...each.spec, template: { ...template, ask } } };
  });
  return left > 0 ? undefined : after;
}

function withoutDevices(
  objects: readonly AnyObject[],
  { node, count }: Extract<Remedy, { kind: "free-devices" }>,
  { key }: Replica,
): readonly AnyObject[] | undefined {
  let left = count;
  const after = objects.map((each) => {
    if (each.kind !== "Replica" || each.key === key || each.status.node !== node) return each;
    const { template } = each.spec;
    const freed = Math.min(left, each.status.deviceIds.length);
    left -= freed;
    const amounts = {
      ...template.ask.amounts,
      deviceMillis: template.ask.amounts.deviceMillis - 1000 * freed,
    };
    return {
      ...each,
      spec: { ...each.spec, template: { ...template, ask: { ...template.ask, amounts } } },
      status: { ...each.status, deviceIds: each.status.deviceIds.slice(freed) },
    };
  });
  return left > 0 ? undefined : after;
}

function raised(quota: Quota, remedy: Extract<Remedy, { kind: "raise-quota" }>): Quota {
  const { bound, name, amount } = remedy;
  const { spec } = quota;
  const more = (of = NOTHING) => ({ ...of, [name]: of[name] + amount });
  if (bound.of === "tenant") return { ...quota, spec: { ...spec, limit: more(spec.limit) } };
  if (bound.of === "class") {
    const classes = {
      ...spec.classes,
      [bound.priorityClass]: more(spec.classes?.[bound.priorityClass]),
    };
    return { ...quota, spec: { ...spec, classes } };
  }
  const regions = { ...spec.regions, [bound.region]: more(spec.regions?.[bound.region]) };
  return { ...quota, spec: { ...spec, regions } };
}

/** Whether admission lets it into the queue, and the scheduler then binds all that waits. */
export function isPlaced(objects: readonly AnyObject[]): boolean {
  const waiting = objects.filter(
    (each): each is Replica => each.kind === "Replica" && each.status.stage === "admitted",
  );
  if (waiting.length > 0 && !isAdmitted(objects)) return false;
  const queue = objects.map((each) =>
    each.kind === "Replica" && each.status.stage === "admitted"
      ? { ...each, status: { ...each.status, stage: "queued" as const } }
      : each,
  );
  const controller = createPlace();
  const view = new View(controller.interest);
  for (const after of queue) {
    if (!controller.interest.kinds.has(after.kind)) continue;
    const change = { key: after.key, before: undefined, after };
    view.objects.fold(change);
    controller.follow?.(change, view);
  }
  const decision = controller.reconcile(API, view, aLook(1_000));
  if (decision.kind !== "propose") return false;
  const bound = decision.intents.flatMap((intent) =>
    intent.kind === "bind-all" ? intent.bindings.length : intent.kind === "bind" ? 1 : 0,
  );
  const queued = queue.filter((each) => each.kind === "Replica" && each.status.stage === "queued");
  return bound.reduce((sum, count) => sum + count, 0) === queued.length;
}

function isAdmitted(objects: readonly AnyObject[]): boolean {
  const controller = createAdmit();
  const view = new View(controller.interest);
  for (const after of objects) {
    if (!controller.interest.kinds.has(after.kind)) continue;
    view.objects.fold({ key: after.key, before: undefined, after });
  }
  const decision = controller.reconcile(API, view, aLook(1_000));
  return (
    decision.kind === "propose" &&
    decision.intents.some(({ kind }) => kind === "reserve" || kind === "enqueue")
  );
}
