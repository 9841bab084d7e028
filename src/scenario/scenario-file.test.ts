import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UserError } from "../cli/errors.ts";
import { RECONCILES } from "../core/model/disconnect.ts";
import type { Affinity, DeviceAsk, NodeExpression } from "../core/model/objects.ts";
import type { Amounts } from "../core/model/amounts.ts";
import { namesInWorld } from "../sim/fault-target.ts";
import type { Fault } from "../sim/fault.ts";
import { standardWorld } from "../sim/standard-world.ts";
import { drawSwarm } from "../sim/swarm.ts";
import type { UserAction, World, WorldNode, WorldWorkload } from "../sim/world.ts";
import type { Scenario } from "./scenario.ts";
import { formatScenario, parseScenario, readScenarioFile } from "./scenario-file.ts";
import { formatWorld } from "./world-file.ts";

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
    spec: fc.record(
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
                tolerations: keyAndValue,
              })
              .map(({ amounts: of, device, labelled, ...ask }) => ({
                ...ask,
                ...labelled,
                amounts: {
                  ...of,
                  deviceMillis: device === undefined ? 0 : device.count * device.shareMillis,
                },
                ...(device === undefined ? {} : { device }),
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
            priorityClass: fc.string(),
            onDisconnect: fc.constantFrom("stop", "keep"),
            waiting: fc.record(
              {
                replaceAfterMs: fc.integer({ min: 1, max: 86_400_000 }),
                reconcile: fc.constantFrom(...RECONCILES),
              },
              { requiredKeys: [] },
            ),
            command: words,
          })
          .map(({ together, waiting, ...template }) => ({ ...template, ...waiting, ...together })),
      },
      { requiredKeys: ["type", "replicas", "template"] },
    ),
  });

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

const aWorld: fc.Arbitrary<World> = fc
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

function aFault(world: World): fc.Arbitrary<Fault> {
  const { components, nodes } = namesInWorld(world);
  const who = fc.constantFrom(...components);
  const node = fc.constantFrom(...nodes);
  const message = { operation: fc.string(), attempt: fc.nat() };
  const process = { replica: fc.string(), life: fc.nat() };
  const its = fc.constant;
  return fc.oneof<fc.Arbitrary<Fault>[]>(
    fc.record({ fault: its("lose-request"), from: who, ...message }),
    fc.record({ fault: its("lose-reply"), to: who, ...message }),
    fc.record({ fault: its("duplicate-request"), from: who, ...message, afterMs: ms }),
    fc.record({ fault: its("delay-request"), from: who, ...message, byMs: ms }),
    fc.record({ fault: its("delay-reply"), to: who, ...message, byMs: ms }),
    fc.record({ fault: its("append-unknown"), plane: who, append: fc.nat(), landed: fc.boolean() }),
    fc.record({ fault: its("watch-stall"), to: who, atMs: ms, forMs: ms }),
    fc.record({ fault: its("watch-drop"), to: who, atMs: ms, forMs: ms }),
    fc.record({ fault: its("watch-break"), to: who, atMs: ms }),
    fc.record({ fault: its("stale-list"), to: who, atMs: ms, forMs: ms, behind: fc.nat() }),
    fc.record({ fault: its("crash"), component: who, atMs: ms, downMs: ms }),
    fc.record({ fault: its("crash-after"), component: who, ...message, downMs: ms }),
    fc.record({ fault: its("restart-leader"), atMs: ms, downMs: ms }),
    fc.record({ fault: its("second-leader"), atMs: ms }),
    fc.record({ fault: its("partition"), from: who, to: who, atMs: ms, forMs: ms }),
    fc.record({
      fault: its("clock"),
      component: who,
      atMs: ms,
      offsetMs: fc.integer(),
      driftPerThousand: fc.integer(),
    }),
    fc.record({ fault: its("node-crash"), node, atMs: ms, downMs: ms }),
    fc.record({ fault: its("node-pause"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("hardware-loss"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("overload"), atMs: ms, forMs: ms }),
    fc.record({ fault: its("blind-agent"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("slow-start"), ...process, byMs: ms }),
    fc.record({ fault: its("failing-probe"), ...process, times: fc.nat() }),
    fc.record({ fault: its("process-exit"), ...process, afterMs: ms }),
  );
}

const aScenario: fc.Arbitrary<Scenario> = aWorld.chain((world) =>
  fc.record({
    name: fc.string(),
    about: fc.oneof(fc.string(), fc.constant("Two lines,\nand a: colon.\n")),
    world: fc.constant({ kind: "inline" as const, world }),
    seed: fc.nat(),
    expect: fc.constantFrom(
      { kind: "clean" as const },
      { kind: "violation" as const, rule: "INV1" },
    ),
    faults: fc.array(aFault(world), { maxLength: 12 }),
  }),
);

const mistakeIn = (text: string): string => {
  try {
    parseScenario(text, "s.yaml");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.place.line}:${error.place.column}: ${error.message}`;
  }
  return "none";
};

describe("scenario files", () => {
  it("property: a scenario with its world inline is read back as it was written", () => {
    fc.assert(
      fc.property(aScenario, (scenario) => {
        const read = parseScenario(formatScenario(scenario), "s.yaml");
        expect(read.scenario).toEqual(scenario);
        expect(scenario.world).toMatchObject({ world: read.world });
      }),
      { numRuns: 300 },
    );
  });

  it("carry any world the swarm draws, and the standard one", () => {
    const worlds = Array.from({ length: 100 }, (_, seed) => drawSwarm(seed).world);
    for (const world of [standardWorld(), ...worlds]) {
      const scenario: Scenario = {
        name: "x",
        about: "",
        world: { kind: "inline", world },
        seed: 1,
        expect: { kind: "clean" },
        faults: [],
      };
      expect(parseScenario(formatScenario(scenario), "s.yaml").world).toEqual(world);
    }
  });

  it("put each fault on a line of its own", () => {
    const text = formatScenario({
      name: "lost",
      about: "",
      world: { kind: "standard" },
      seed: 7,
      expect: { kind: "violation", rule: "INV5" },
      faults: [{ fault: "lose-reply", to: "place-1", operation: "bind/a", attempt: 1 }],
    });
    expect(text).toBe(
      [
        "scenario: lost",
        "world: standard",
        "seed: 7",
        "expect: violation INV5",
        "faults:",
        "  - { lose-reply: { to: place-1, operation: bind/a, attempt: 1 } }",
        "",
      ].join("\n"),
    );
  });

  it("find a world in another file beside them", () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-scenario-"));
    try {
      writeFileSync(join(folder, "w.yaml"), formatWorld(standardWorld()));
      writeFileSync(join(folder, "s.yaml"), "scenario: x\nworld: { file: w.yaml }\n");
      const { scenario, world } = readScenarioFile(join(folder, "s.yaml"));
      expect(world).toEqual(standardWorld());
      expect(scenario).toEqual({
        name: "x",
        about: "",
        world: { kind: "file", path: "w.yaml" },
        seed: 0,
        expect: { kind: "clean" },
        faults: [],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    {
      title: "an unknown fault",
      lines: ["faults:", "  - lose-replay: { to: place-1 }"],
      found: /^4:5: .*unknown fault "lose-replay".*Did you mean "lose-reply"\?$/,
    },
    {
      title: "a component that is not in the world",
      lines: ["faults:", "  - crash: { component: place-99, at: 1s, down: 1s }"],
      found: /^4:25: .*the world has no component "place-99"/,
    },
    {
      title: "a time without a unit",
      lines: ["faults:", "  - restart-leader: { at: 5, down: 1s }"],
      found: /^4:27: .*found 5, expected a duration such as/,
    },
    {
      title: "a field that a fault does not have",
      lines: ["faults:", "  - second-leader: { at: 5s, down: 1s }"],
      found: /^4:30: .*unknown field "down", expected one of at\./,
    },
    {
      title: "a rule that there is not",
      lines: ["expect: violation INV99"],
      found: /^3:9: .*there is no rule "INV99"/,
    },
    {
      title: "an expectation that is neither",
      lines: ["expect: green"],
      found: /^3:9: .*found "green", expected clean or violation RULE\.$/,
    },
  ])("point at $title", ({ lines, found }) => {
    expect(mistakeIn(["scenario: x", "world: standard", ...lines, ""].join("\n"))).toMatch(found);
  });

  it("need a name and a world", () => {
    expect(mistakeIn("seed: 1\n")).toMatch(/^1:1: .*"world" is missing[^]*"scenario" is missing/);
  });
});
