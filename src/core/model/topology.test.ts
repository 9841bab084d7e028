import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { domainOf, isSamePlace } from "./topology.ts";

test("a place is a node, its zone, its region, or all nodes with one value of a label [BD13]", () => {
  const node = aNode({ name: "a-1", zone: "eu-a", region: "eu", labels: { rack: "7" } });
  const places = ["node", "zone", "region", "rack", "row"].map((by) => domainOf(node, by));
  expect(places).toEqual(["a-1", "eu-a", "eu", "7", undefined]);
});

test("a node is in another place once its zone, region or any label is another [BD13]", () => {
  const node = aNode({ labels: { rack: "7" } });
  expect(isSamePlace(node, aNode({ labels: { rack: "7" }, draining: true }))).toBe(true);
  expect(isSamePlace(node, aNode({ labels: { rack: "8" } }))).toBe(false);
  expect(isSamePlace(node, aNode({ labels: { rack: "7", row: "1" } }))).toBe(false);
  expect(isSamePlace(node, aNode({ labels: { rack: "7" }, zone: "eu-b" }))).toBe(false);
  expect(isSamePlace(node, aNode({ labels: { rack: "7" }, region: "us" }))).toBe(false);
});
