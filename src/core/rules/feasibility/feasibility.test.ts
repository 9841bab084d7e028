import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../../test/builders/a-node.ts";
import { aTemplate, type TemplateParts } from "../../../../test/builders/a-template.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { NodeExpression } from "../../model/objects.ts";
import type { Taint } from "../../model/node/taint.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { NODES_FACT } from "../../observe/facts.ts";
import { emptyNodeUse, type NodeUse } from "../../observe/usage.ts";
import { FEASIBILITY_RULES, firstMisfit } from "./feasibility.ts";
import type { Misfit } from "./misfit.ts";

const ML: Taint = { key: "dedicated", value: "ml", effect: "no-schedule" };
const SPOT: Taint = { key: "spot", value: "yes", effect: "no-schedule" };
const OWNER = "Replica/payments/other.1.0" as ObjectKey;

const says = (
  key: string,
  operator: NodeExpression["operator"],
  ...values: string[]
): NodeExpression => ({ key, operator, values });

function misfit(
  node: NodeParts,
  ask: TemplateParts = {},
  use: Partial<NodeUse> = {},
): (Misfit & { rule: string }) | undefined {
  const candidate = { node: aNode(node), use: { ...emptyNodeUse(), ...use } };
  const found = firstMisfit(candidate, aTemplate(ask).ask);
  return found && { rule: found.rule.name, ...found.misfit };
}

describe("a node fits", () => {
  test.each([
    { title: "when nothing speaks against it [BD4]", node: {}, ask: {} },
    {
      title: "in an allowed region and zone [BD6]",
      node: { region: "eu", zone: "eu-a" },
      ask: { regions: ["us", "eu"], zones: ["eu-a"] },
    },
    {
      title: "with all the selected labels and more [BD7]",
      node: { labels: { disk: "ssd", rack: "7" } },
      ask: { nodeSelector: { disk: "ssd" } },
    },
    {
      title: "when its taint is tolerated by value [BD8]",
      node: { taints: [ML] },
      ask: { tolerations: [{ key: "dedicated", value: "ml" }] },
    },
    {
      title: "when its taint is tolerated whatever the value [BD8]",
      node: { taints: [ML] },
      ask: { tolerations: [{ key: "dedicated", value: "" }] },
    },
    {
      title: "when every key is tolerated [BD8]",
      node: { taints: [ML, SPOT] },
      ask: { tolerations: [{ key: "", value: "" }] },
    },
    {
      title: "when its taint is tolerated by effect [BD8]",
      node: { taints: [ML] },
      ask: { tolerations: [{ key: "dedicated", value: "", effect: "no-schedule" as const }] },
    },
    {
      title: "when its taint only asks for others [BD8] [PR3]",
      node: { taints: [{ ...ML, effect: "prefer-no-schedule" as const }] },
      ask: {},
    },
    {
      title: "of which all expressions hold [BD7]",
      node: { labels: { disk: "ssd", cores: "16" } },
      ask: {
        nodeExpressions: [
          says("disk", "in", "ssd", "nvme"),
          says("disk", "not-in", "hdd"),
          says("disk", "exists"),
          says("gpu", "does-not-exist"),
          says("gpu", "not-in", "old"),
          says("cores", "gt", "15"),
          says("cores", "lt", "17"),
        ],
      },
    },
    {
      title: "that allows the driver [BD15]",
      node: { drivers: [{ name: "sandbox" as const }] },
      ask: { driver: "sandbox" as const },
    },
    {
      title: "whose agent says nothing of drivers and runs plain processes [BD15]",
      node: {},
      ask: { driver: "process" as const },
    },
    {
      title: "that never spoke, and may allow the driver [BD15]",
      node: { session: 0 },
      ask: { driver: "sandbox" as const },
    },
    {
      title: "that is below its cap [BD11]",
      node: { maxReplicas: 1 },
      ask: {},
    },
    {
      title: "that the ask fills to the last unit [BD4]",
      node: { cpuMillis: 100, memoryMiB: 100 },
      ask: { cpuMillis: 100, memoryMiB: 100 },
    },
    {
      title: "with enough free devices of the class [BD5]",
      node: { deviceIds: ["g0", "g1"] },
      ask: { devices: 2 },
    },
  ])("$title", ({ node, ask }) => {
    expect(misfit(node, ask)).toBeUndefined();
  });
});

describe("a node does not fit", () => {
  test.each([
    {
      title: "in another region [BD6]",
      node: { region: "eu" },
      ask: { regions: ["us"] },
      rule: "allowed-location",
      code: "location-not-allowed",
    },
    {
      title: "in another zone of an allowed region [BD6]",
      node: { region: "eu", zone: "eu-a" },
      ask: { regions: ["eu"], zones: ["eu-b"] },
      rule: "allowed-location",
      code: "location-not-allowed",
    },
    {
      title: "without the selected label [BD7]",
      node: {},
      ask: { nodeSelector: { disk: "ssd" } },
      rule: "node-selector",
      code: "node-not-selected",
    },
    {
      title: "with another value of the selected label [BD7]",
      node: { labels: { disk: "hdd" } },
      ask: { nodeSelector: { disk: "ssd" } },
      rule: "node-selector",
      code: "node-not-selected",
    },
    {
      title: "that does not allow the driver [BD15]",
      node: { drivers: [{ name: "sandbox" as const }] },
      ask: { driver: "process" as const },
      rule: "driver",
      code: "driver-missing",
    },
    {
      title: "whose machine lacks what the driver needs [BD15]",
      node: { drivers: [{ name: "sandbox" as const, lacks: "it lacks bwrap" }] },
      ask: { driver: "sandbox" as const },
      rule: "driver",
      code: "driver-missing",
    },
    {
      title: "whose machine gives the driver no disk [BD15]",
      node: { drivers: [{ name: "sandbox" as const, lacksDisk: "it lacks mkfs.ext4" }] },
      ask: { driver: "sandbox" as const, disk: "1Gi" },
      rule: "driver",
      code: "driver-missing",
    },
    {
      title: "whose agent says nothing of drivers, and runs plain processes [BD15]",
      node: {},
      ask: { driver: "sandbox" as const },
      rule: "driver",
      code: "driver-missing",
    },
    {
      title: "when only one of its taints is tolerated [BD8]",
      node: { taints: [ML, SPOT] },
      ask: { tolerations: [{ key: "dedicated", value: "" }] },
      rule: "taints",
      code: "taint-not-tolerated",
    },
    {
      title: "when another value of its taint is tolerated [BD8]",
      node: { taints: [ML] },
      ask: { tolerations: [{ key: "dedicated", value: "web" }] },
      rule: "taints",
      code: "taint-not-tolerated",
    },
    {
      title: "when only another effect of its taint is tolerated [BD8]",
      node: { taints: [ML] },
      ask: { tolerations: [{ key: "", value: "", effect: "prefer-no-schedule" as const }] },
      rule: "taints",
      code: "taint-not-tolerated",
    },
    ...[
      says("disk", "in", "ssd", "nvme"),
      says("disk", "not-in", "hdd"),
      says("rack", "exists"),
      says("disk", "does-not-exist"),
      says("cores", "gt", "16"),
      says("cores", "lt", "16"),
      says("disk", "gt", "1"),
      says("rack", "lt", "1"),
    ].map((expression) => ({
      title: `of which it is not true that ${expression.key} ${expression.operator} [BD7]`,
      node: { labels: { disk: "hdd", cores: "16" } },
      ask: { nodeExpressions: [expression] },
      rule: "node-expressions",
      code: "node-not-selected",
    })),
    {
      title: "that is only a forecast [BD10]",
      node: { supply: "soft" as const },
      ask: {},
      rule: "supply",
      code: "supply-is-soft",
    },
    {
      title: "whose cap is zero [BD11]",
      node: { maxReplicas: 0 },
      ask: {},
      rule: "max-replicas",
      code: "node-full",
    },
    {
      title: "while it is draining [BD3]",
      node: { draining: true },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "while one of several holders keeps it cordoned [BD3]",
      node: { cordons: [{ holder: "ops", reason: "disk" }] },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "while it is being deleted [BD3]",
      node: { deletingMs: 5 },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "while it is suspect [BD3]",
      node: { health: "suspect" as const },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "while it is unknown [BD3]",
      node: { health: "unknown" as const },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "once it is fenced [BD3]",
      node: { health: "fenced" as const },
      ask: {},
      rule: "schedulable",
      code: "node-not-schedulable",
    },
    {
      title: "that is one unit too small [BD4]",
      node: { cpuMillis: 99 },
      ask: { cpuMillis: 100 },
      rule: "capacity",
      code: "node-full",
    },
    {
      title: "that has fewer devices than asked for [BD4]",
      node: { deviceIds: ["g0"] },
      ask: { devices: 2 },
      rule: "capacity",
      code: "node-full",
    },
    {
      title: "with devices of another class [BD5]",
      node: { deviceIds: ["f0"], deviceClass: "fpga" },
      ask: { devices: 1, deviceClass: "gpu" },
      rule: "devices",
      code: "device-taken",
    },
  ])("$title", ({ node, ask, rule, code }) => {
    expect(misfit(node, ask)).toMatchObject({ rule, code });
  });

  test("whose other replicas leave too little [BD4]", () => {
    expect(misfit({ memoryMiB: 1000 }, { memoryMiB: 300 }, { memoryMiB: 800 })).toMatchObject({
      code: "node-full",
      node: "Node//a-1",
      what: "memoryMiB",
      expected: 300,
      actual: 200,
    });
  });

  test("that has as many replicas as its cap allows [BD11]", () => {
    expect(misfit({ maxReplicas: 3 }, {}, { replicas: 3 })).toMatchObject({
      code: "node-full",
      what: "replicas",
      actual: 3,
    });
    expect(misfit({ maxReplicas: 3 }, {}, { replicas: 2 })).toBeUndefined();
  });

  test("that states no cap and has as many replicas as any node takes by default [LB1]", () => {
    const most = LOAD_LIMITS.nodeReplicas.value;
    expect(misfit({}, {}, { replicas: most })).toMatchObject({
      code: "node-full",
      what: "replicas",
      expected: `fewer than ${most}`,
      actual: most,
    });
    expect(misfit({}, {}, { replicas: most - 1 })).toBeUndefined();
    expect(misfit({ maxReplicas: most + 1 }, {}, { replicas: most })).toBeUndefined();
  });

  test("whose devices have owners [BD5]", () => {
    const devices = new Map([["g0", { usedMillis: 1000, owners: [OWNER] }]]);
    const ask = { devices: 2 };
    expect(misfit({ deviceIds: ["g0", "g1"] }, ask, { devices })).toMatchObject({
      rule: "devices",
      code: "device-taken",
      expected: "2 free gpu",
      actual: "1",
    });
  });
});

test("a lasting reason is told before a passing one", () => {
  const node = { region: "eu", draining: true, cpuMillis: 1 };
  expect(misfit(node, { regions: ["us"] })?.rule).toBe("allowed-location");
  expect(misfit(node)?.rule).toBe("schedulable");
});

test("every rule names the facts after which it is worth another look [RN6]", () => {
  for (const { wakes } of FEASIBILITY_RULES) expect(wakes).toContain(NODES_FACT);
});
