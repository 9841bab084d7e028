import { expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aTemplate } from "../../../../test/builders/a-template.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { emptyNodeUse } from "../../observe/usage.ts";
import { keepsLayout, layFleet, resizeOf, shapeOf, UnitKinds } from "./lay-fleet.ts";

test("rows are in the order of names, not of arrival", () => {
  const nodes = ["c", "a", "b"].map((name) => aNode({ name }));
  expect(layFleet(nodes, emptyNodeUse, new UnitKinds()).names).toEqual(["a", "b", "c"]);
});

test("a kind of device is a class and a model, and an ask takes those of its class it does not exclude", () => {
  const kinds = new UnitKinds();
  const pools = [
    { class: "gpu", model: "A100", ids: ["g0"] },
    { class: "gpu", model: "V100", ids: ["g1"] },
    { class: "fpga", model: "A100", ids: ["f0"] },
    { class: "gpu", model: "", ids: ["g2"] },
  ];
  const fleet = layFleet([aNode({ pools })], emptyNodeUse, kinds);
  expect(new Set(fleet.unitKind).size).toBe(4);
  const takes = (models: readonly string[]) => {
    const device = { class: "gpu", models, count: 1, shareMillis: 1000 };
    const { kinds: accepted } = shapeOf(aTemplate({ device }).ask, kinds);
    return [...fleet.unitKind].map((kind) => accepted?.[kind]);
  };
  expect(takes([])).toEqual([1, 1, 0, 1]);
  expect(takes(["V100", "H100"])).toEqual([0, 1, 0, 0]);
  expect(shapeOf(aTemplate().ask, kinds)).toMatchObject({ units: 0, unitMillis: 0 });
});

test("a class may contain a slash, as nvidia.com/gpu does, and is no other class and model", () => {
  const kinds = new UnitKinds();
  const pools = [
    { class: "nvidia.com/gpu", model: "", ids: ["g0"] },
    { class: "nvidia.com", model: "gpu", ids: ["g1"] },
  ];
  const fleet = layFleet([aNode({ pools })], emptyNodeUse, kinds);
  const device = { class: "nvidia.com/gpu", models: [], count: 1, shareMillis: 1000 };
  const { kinds: accepted } = shapeOf(aTemplate({ device }).ask, kinds);
  expect([...fleet.unitKind].map((kind) => accepted?.[kind])).toEqual([1, 0]);
});

test("a node keeps its layout while its places and its units stay the same", () => {
  const node = aNode({ labels: { rack: "r1" }, deviceIds: ["g0"] });
  const same = { labels: { rack: "r1" }, deviceIds: ["g0"] };
  expect(keepsLayout(node, aNode({ ...same, cpuMillis: 9, draining: true }))).toBe(true);
  expect(keepsLayout(node, aNode({ ...same, zone: "eu-b" }))).toBe(false);
  expect(keepsLayout(node, aNode({ ...same, region: "us" }))).toBe(false);
  expect(keepsLayout(node, aNode({ ...same, labels: { rack: "r2" } }))).toBe(false);
  expect(keepsLayout(node, aNode({ ...same, deviceIds: ["g0", "g1"] }))).toBe(false);
});

const capped = (maxReplicas: number | undefined) =>
  aNode(maxReplicas === undefined ? {} : { maxReplicas });

const replicas = (was: number | undefined, is: number | undefined): number =>
  resizeOf(capped(was), capped(is)).replicas;

test("a cap that comes, goes or is beyond all measure changes how many more replicas fit [LB1]", () => {
  expect(replicas(3, 5)).toBe(2);
  expect(replicas(undefined, 3)).toBe(-replicas(3, undefined));
  expect(replicas(undefined, LOAD_LIMITS.nodeReplicas.value)).toBe(0);
  expect(replicas(2 ** 31, Number.MAX_SAFE_INTEGER)).toBe(0);
});
