/** Any world that a file can describe, for properties of reading and writing them. */
import * as fc from "fast-check";
import type { Amounts } from "../../src/core/model/amounts.ts";
import { RECONCILES } from "../../src/core/model/disconnect.ts";
import type {
  Affinity,
  DeviceAsk,
  NodeExpression,
  WorkloadSpec,
} from "../../src/core/model/objects.ts";
import type { UserAction, World, WorldNode, WorldWorkload } from "../../src/sim/world/world.ts";

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,8}[a-z0-9])?$/);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const ms = fc.nat({ max: 10_000_000 });
const labels = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), {
  maxKeys: 2,
  // What is read back has the usual prototype.
  noNullPrototype: true,
});
const amounts: fc.Arbitrary<Amounts> = fc.record({
  cpuMillis: fc.nat(),
  memoryMiB: fc.nat(),
  deviceMillis: fc.nat({ max: 9_999 }),
});
const words = fc.array(fc.string(), { maxLength: 3 });
const keyAndValue = fc.array(fc.record({ key: fc.string(), value: fc.string() }), { maxLength: 2 });

type Places = World["regions"];

const aWorldNode = (regions: Places): fc.Arbitrary<WorldNode> =>
  fc
    .record({
      name,
      labels,
      region: fc.constantFrom(...regions),
      pick: fc.nat(),
      capacity: amounts,
      deviceClass: name,
      model: fc.constantFrom("", "A100"),
      deviceIds: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 3 }),
      taints: keyAndValue.map((taints) =>
        taints.map((taint, at) => ({
          ...taint,
          effect: at === 0 ? ("no-schedule" as const) : ("prefer-no-schedule" as const),
        })),
      ),
      limits: fc.record(
        {
          maxReplicas: fc.nat({ max: 9 }),
          supply: fc.constantFrom("hard" as const, "soft" as const),
        },
        { requiredKeys: [] },
      ),
      cordons: fc.array(fc.record({ holder: fc.string(), reason: fc.string() }), { maxLength: 1 }),
      draining: fc.boolean(),
    })
    .map(
      ({
        name: node,
        labels: its,
        region,
        pick,
        capacity,
        deviceClass,
        model,
        deviceIds,
        limits,
        ...rest
      }) => ({
        name: node,
        labels: its,
        spec: {
          region: region.name,
          zone: region.zones[pick % region.zones.length]!,
          capacity: { ...capacity, deviceMillis: 1000 * deviceIds.length },
          pools: deviceIds.length === 0 ? [] : [{ class: deviceClass, model, ids: deviceIds }],
          ...rest,
          ...limits,
        },
      }),
    );

const aDeviceAsk: fc.Arbitrary<DeviceAsk | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({
    class: name,
    models: fc.subarray(["A100", "V100"]),
    count: fc.integer({ min: 1, max: 9 }),
    shareMillis: fc.constant(1000),
  }),
  fc.record({
    class: name,
    models: fc.subarray(["A100", "V100"]),
    count: fc.constant(1),
    shareMillis: fc.integer({ min: 1, max: 1000 }),
  }),
);

const weight = fc.integer({ min: 1, max: 100 });
const term = {
  by: fc.constantFrom("zone", "region", "node", "rack"),
  labels,
  tenants: fc.array(name, { maxLength: 2 }),
};
const terms = fc.array(fc.record(term, { requiredKeys: ["by", "labels"] }), { maxLength: 2 });
const weightedTerms = fc.array(
  fc.record({ weight, ...term }, { requiredKeys: ["weight", "by", "labels"] }),
  { maxLength: 2 },
);
const anAffinity: fc.Arbitrary<Affinity> = fc.record({
  required: terms,
  preferred: weightedTerms,
  antiRequired: terms,
  antiPreferred: weightedTerms,
});
const anExpression: fc.Arbitrary<NodeExpression> = fc.constantFrom(
  { key: "disk", operator: "in", values: ["ssd", ""] },
  { key: "disk", operator: "not-in", values: ["hdd"] },
  { key: "rack", operator: "exists", values: [] },
  { key: "rack", operator: "does-not-exist", values: [] },
  { key: "rack", operator: "gt", values: ["-3"] },
  { key: "rack", operator: "lt", values: ["007"] },
);
const expressions = fc.array(anExpression, { maxLength: 2 });
const someLabelled = fc.record(
  {
    nodeExpressions: expressions,
    preferredNodes: fc.array(fc.record({ weight, expressions }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const aWorldWorkload = (regions: Places, tenants: readonly string[]): fc.Arbitrary<WorldWorkload> =>
  fc.record({
    tenant: fc.constantFrom(...tenants),
    name,
    labels,
    spec: fc
      .record(
        {
          gang: fc.record({ deadlineMs: fc.integer({ min: 1, max: 86_400_000 }) }),
          type: fc.constantFrom("service", "batch"),
          replicas: fc.nat({ max: 99 }),
          template: fc
            .record({
              ask: fc
                .record({
                  amounts,
                  device: aDeviceAsk,
                  regions: fc.subarray(regions.map((region) => region.name)),
                  zones: fc.subarray(regions.flatMap(({ zones }) => zones)),
                  nodeSelector: labels,
                  labelled: someLabelled,
                  fixedPorts: fc.option(fc.record({ http: fc.integer({ min: 1, max: 65_535 }) }), {
                    nil: undefined,
                  }),
                  // A value says nothing without its key.
                  tolerations: keyAndValue.map((list) =>
                    list.map(({ key, value }) => ({ key, value: key === "" ? "" : value })),
                  ),
                })
                .map(({ amounts: of, device, labelled, fixedPorts, ...ask }) => ({
                  ...ask,
                  ...labelled,
                  amounts: {
                    ...of,
                    deviceMillis: device === undefined ? 0 : device.count * device.shareMillis,
                  },
                  ...(device === undefined ? {} : { device }),
                  ...(fixedPorts === undefined ? {} : { fixedPorts }),
                })),
              spread: fc.array(
                fc.record(
                  {
                    by: fc.constantFrom("zone", "region", "node", "rack"),
                    maxSkew: fc.integer({ min: 1, max: 9 }),
                    soft: fc.constant(true),
                  },
                  { requiredKeys: ["by", "maxSkew"] },
                ),
                { maxLength: 2 },
              ),
              together: fc.record(
                { affinity: anAffinity, maxPerNode: fc.integer({ min: 1, max: 9 }) },
                { requiredKeys: [] },
              ),
              priorityClass: fc.oneof(fc.constant(""), name),
              onDisconnect: fc.constantFrom("stop", "keep"),
              waiting: fc.record(
                {
                  replaceAfterMs: fc.integer({ min: 1, max: 86_400_000 }),
                  reconcile: fc.constantFrom(...RECONCILES),
                },
                { requiredKeys: [] },
              ),
              command: words.filter(([program]) => program !== ""),
            })
            .map(({ together, waiting, ...template }) => ({
              ...template,
              ...waiting,
              ...together,
            })),
        },
        { requiredKeys: ["type", "replicas", "template"] },
      )
      .map(replacedWhereItMayBe),
  });

/** Only a service that is no gang replaces a replica that is kept (DC4). */
function replacedWhereItMayBe(spec: WorkloadSpec): WorkloadSpec {
  const { replaceAfterMs: _, ...template } = spec.template;
  const isLone = spec.type === "service" && spec.gang === undefined;
  return template.onDisconnect === "stop" || isLone ? spec : { ...spec, template };
}

function anAction(world: Omit<World, "timeline">): fc.Arbitrary<UserAction> {
  const workload = fc
    .constantFrom(...world.workloads)
    .map((one) => ({ tenant: one.tenant, workload: one.name }));
  const node = fc.constantFrom(...world.nodes).map((one) => ({ node: one.name }));
  return fc.oneof(
    fc
      .record({ workload, replicas: fc.nat() })
      .map((one) => ({ do: "scale" as const, ...one.workload, replicas: one.replicas })),
    workload.map((one) => ({ do: "delete-workload" as const, ...one })),
    fc
      .record({ workload, generation: fc.integer({ min: 1, max: 9 }), index: fc.nat(9) })
      .map(({ workload: one, ...of }) => ({ do: "delete-replica" as const, ...one, ...of })),
    fc
      .record({ workload, command: words })
      .map((one) => ({ do: "change-template" as const, ...one.workload, command: one.command })),
    fc
      .record({ tenant: fc.constantFrom(...world.tenants), limit: amounts })
      .map(({ tenant, limit }) => ({ do: "set-quota" as const, tenant: tenant.name, limit })),
    fc
      .record({ act: fc.constantFrom("cordon", "uncordon"), node, holder: fc.string() })
      .map(({ act, node: one, holder }) => ({ do: act, ...one, holder })),
    fc
      .record({ act: fc.constantFrom("drain", "undrain"), node })
      .map(({ act, node: one }) => ({ do: act, ...one })),
    fc
      .constantFrom(...world.nodes)
      .map((one) => ({ do: "add-node" as const, node: { ...one, name: `${one.name}-added` } })),
    fc.constantFrom(...world.workloads).map((one) => ({
      do: "put-workload" as const,
      workload: { ...one, name: `${one.name}-put` },
    })),
  );
}

const actionTarget = (action: UserAction): string =>
  action.do === "add-node"
    ? action.node.name
    : action.do === "put-workload"
      ? `${action.workload.tenant}/${action.workload.name}`
      : "";

export const anyWorld: fc.Arbitrary<World> = fc
  .record({
    regions: fc.uniqueArray(fc.record({ name, zones: names }), {
      minLength: 1,
      maxLength: 3,
      selector: (one) => one.name,
    }),
    tenants: fc.uniqueArray(fc.record({ name, quota: amounts }), {
      minLength: 1,
      maxLength: 3,
      selector: (one) => one.name,
    }),
  })
  .chain(({ regions, tenants }) =>
    fc.record({
      name,
      regions: fc.constant(regions),
      tenants: fc.constant(tenants),
      nodes: fc.uniqueArray(aWorldNode(regions), {
        minLength: 1,
        maxLength: 4,
        selector: (one) => one.name,
      }),
      workloads: fc.uniqueArray(
        aWorldWorkload(
          regions,
          tenants.map((one) => one.name),
        ),
        {
          minLength: 1,
          maxLength: 3,
          selector: (one) => `${one.tenant}/${one.name}`,
        },
      ),
      schedulers: fc.integer({ min: 1, max: 4 }),
      controllersShareView: fc.boolean(),
      faultsUntilMs: ms,
      healMs: ms,
      startUpMs: ms,
      batchRunMs: ms,
    }),
  )
  .chain((world) =>
    fc
      .array(fc.record({ atMs: ms, action: anAction(world) }), { maxLength: 4 })
      .map((timeline) => ({
        ...world,
        // Two entries that bring the same thing would be a mistake in the file.
        timeline: timeline.filter(
          ({ action }, index) =>
            actionTarget(action) === "" ||
            timeline.findIndex((other) => actionTarget(other.action) === actionTarget(action)) ===
              index,
        ),
      })),
  );
