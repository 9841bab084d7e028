import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aNode, anAsk, aReplica, aTemplate } from "../../../../test/builders/check/fixtures.ts";
import type { Actor } from "../../../core/model/actor.ts";
import type { Ask, NodeSpec, Replica } from "../../../core/model/objects.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { createBoundedDamageChecker } from "./bounded-damage.ts";

const LIAR: Actor = { role: "agent", name: "agent:node-1" };
const attacks = [{ by: "agent:node-1", attack: "boast", atMs: 0, times: 1 }] as const;

function harnessWith(spec: Partial<NodeSpec> = {}): CheckerHarness {
  const harness = new CheckerHarness(createBoundedDamageChecker(attacks));
  harness.commit({ put: [aNode({ spec }), aNode({ name: "node-2" })] });
  return harness;
}

function on(node: string, ask: Partial<Ask> = {}, of: Partial<Replica["status"]> = {}): Replica {
  const template = aTemplate({ ask: anAsk(ask) });
  return aReplica({ spec: { template }, status: { stage: "bound", node, ...of } });
}

const rules = (harness: CheckerHarness) => harness.found.map((text) => text.split(" ")[0]);

const bind = (replica: Replica, spec: Partial<NodeSpec> = {}) => {
  const harness = harnessWith(spec);
  harness.commit({ put: [replica], role: "place", command: "bind" });
  return rules(harness);
};

const reported = (node: string) => {
  const harness = harnessWith();
  harness.commit({ put: [on(node)], role: "place", command: "bind" });
  harness.commit({ put: [on(node, {}, { stage: "failed" })], actor: LIAR, command: "report" });
  return rules(harness);
};

test("what the operator stated of a lying node is what its work may take [INV185]", () => {
  expect(bind(on("node-1"))).toEqual([]);
  expect(bind(on("node-1", { regions: ["mars"] }))).toEqual(["INV185"]);
  expect(bind(on("node-1", { zones: ["mars-a"] }))).toEqual(["INV185"]);
  expect(bind(on("node-1", { nodeSelector: { disk: "none" } }))).toEqual(["INV185"]);
  expect(bind(on("node-1", {}, { deviceIds: ["gpu-99"] }))).toEqual(["INV185"]);
  const none = { capacity: { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 } };
  expect(bind(on("node-1"), none)).toEqual(["INV185"]);
  // Other nodes are held to their objects by the checkers of capacity and placement.
  expect(bind(on("node-2", { regions: ["mars"] }))).toEqual([]);
});

test("what its agent wrote of the node does not count as stated [INV185]", () => {
  const harness = new CheckerHarness(createBoundedDamageChecker(attacks));
  harness.commit({ put: [aNode()], actor: LIAR });
  harness.commit({ put: [on("node-1")], role: "place", command: "bind" });
  expect(rules(harness)).toEqual(["INV185"]);
});

test("secrets of what is bound elsewhere are not given to it [INV186]", () => {
  const given: Reply = { kind: "secrets", epoch: 1, decided: { kind: "given", secrets: [] } };
  const asked = (node: string) => {
    const harness = harnessWith();
    const replica = on(node);
    harness.commit({ put: [replica], role: "place", command: "bind" });
    const { key, meta } = replica;
    const ask = { replica: key, uid: meta.uid, incarnation: 1, node, session: 1 };
    harness.nowMs = 10;
    const { checker, report } = harness;
    checker.secretsAnswered?.("hostile:agent:node-1", ask, given, harness, report);
    return rules(harness);
  };
  expect(asked("node-1")).toEqual([]);
  expect(asked("node-2")).toEqual(["INV186"]);
});

test("its messages change nothing that is bound to another node [INV187]", () => {
  expect(reported("node-1")).toEqual([]);
  expect(reported("node-2")).toEqual(["INV187"]);
});
