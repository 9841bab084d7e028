import { expect, test } from "vitest";
import type { AffinityTerm, Labels, Node, Replica } from "../../../core/model/objects.ts";
import { aNode, aReplica, aTemplate } from "../../../../test/builders/check/fixtures.ts";
import { hasCompany, keepsSkew, type Placed } from "./naive-neighbours.ts";

const WEB = { app: "web" };
const near = (labels: Labels, term: AffinityTerm, index = 0): Replica => {
  const affinity = { required: [term], preferred: [], antiRequired: [], antiPreferred: [] };
  return aReplica({ meta: { labels }, spec: { index, template: aTemplate({ affinity }) } });
};
const nodeIn = (zone: string, labels: Labels = {}): Node =>
  aNode({ name: `node-${zone}`, meta: { labels }, spec: { zone } });

test("company is a replica of the kind in the same place [PR2]", () => {
  const seeker = near({}, { by: "zone", labels: WEB });
  const others: Placed[] = [{ replica: aReplica({ meta: { labels: WEB } }), node: nodeIn("a") }];
  expect(hasCompany({ replica: seeker, node: nodeIn("a") }, others)).toBe(true);
  expect(hasCompany({ replica: seeker, node: nodeIn("b") }, others)).toBe(false);
  expect(hasCompany({ replica: seeker, node: nodeIn("a") }, [])).toBe(false);
});

test("the first of a kind may begin a place, but only one that is there [PR2]", () => {
  const first = near(WEB, { by: "rack", labels: WEB });
  expect(hasCompany({ replica: first, node: nodeIn("a", { rack: "1" }) }, [])).toBe(true);
  expect(hasCompany({ replica: first, node: nodeIn("a") }, [])).toBe(false);
  const others: Placed[] = [
    { replica: near(WEB, { by: "rack", labels: WEB }, 1), node: nodeIn("b", { rack: "2" }) },
  ];
  expect(hasCompany({ replica: first, node: nodeIn("a", { rack: "1" }) }, others)).toBe(false);
});

test("a soft spread forbids nothing, and a hard one every node without the label [PR1] [PR3]", () => {
  const [a, b, bare] = [
    nodeIn("a", { rack: "1" }),
    nodeIn("b", { rack: "2" }),
    nodeIn("c"),
  ] as const;
  const open = [a, b, bare];
  const hard = { by: "rack", maxSkew: 1 };
  expect(open.map((node) => keepsSkew(hard, node, open, [a]))).toEqual([false, true, false]);
  expect(open.map((node) => keepsSkew({ ...hard, soft: true }, node, open, [a]))).toEqual([
    true,
    true,
    true,
  ]);
});
