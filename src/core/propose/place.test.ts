import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Refusal } from "../commit/outcome.ts";
import type { Decision } from "../decision.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { NODES_FACT } from "../observe/facts.ts";
import { bindOperation } from "../operations.ts";
import { createPlace } from "./place.ts";

const place = createPlace();

const queued = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "queued", ...of });

const decide = (
  replica: Replica,
  others: readonly AnyObject[],
  of: { now?: number; feedback?: readonly Refusal[] } = {},
): Decision =>
  createPlace().reconcile(
    replica.key,
    aView(place, [replica, ...others]),
    aLook(of.now ?? 1_000, { feedback: of.feedback ?? [] }),
  );

const chosenNode = (decision: Decision): string | undefined => {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  return intent?.kind === "bind" ? intent.node : undefined;
};

describe("place() proposes one bind", () => {
  test("of the life it saw, under an operation that names neither node nor attempt [OP1]", () => {
    const replica = queued({ life: 3 });
    const decision = decide(replica, [aNode()]);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "bind",
          operation: bindOperation(replica),
          replica: replica.key,
          life: 3,
          node: "a-1",
          deviceIds: [],
        },
      ],
      because: { chosen: "a-1" },
    });
    expect(decide(replica, [aNode({ name: "b-1" })])).toMatchObject({
      intents: [{ operation: bindOperation(replica), node: "b-1" }],
    });
  });

  test("and nothing for a replica that is not queued, or not there [ST2]", () => {
    for (const stage of ["admitted", "bound", "released", "unknown"] as const) {
      expect(decide(aReplica({ stage }), [aNode()])).toEqual({ kind: "settled" });
    }
    const look = aLook();
    expect(place.reconcile(aReplica().key, aView(place, [aNode()]), look).kind).toBe("settled");
  });

  test("with exactly as many free devices as asked for, in the node's order [BD5]", () => {
    const node = aNode({ deviceIds: ["g2", "g0", "g1", "g3"] });
    const owner = aReplica({
      slot: 1,
      stage: "serving",
      node: "a-1",
      devices: 1,
      deviceIds: ["g0"],
    });
    expect(decide(queued({ devices: 2 }), [node, owner])).toMatchObject({
      intents: [{ deviceIds: ["g2", "g1"] }],
    });
  });
});

describe("place() chooses", () => {
  test("the node that is left fullest, so that large holes stay large", () => {
    const nodes = [aNode({ name: "large", cpuMillis: 9000 }), aNode({ name: "small" })];
    const decision = decide(queued(), nodes);
    expect(chosenNode(decision)).toBe("small");
    expect(decision).toMatchObject({ because: { alternatives: [{ name: "large" }] } });
  });

  test("by name among equals, whatever order they arrived in", () => {
    const nodes = ["c-1", "a-1", "b-1"].map((name) => aNode({ name }));
    expect(chosenNode(decide(queued(), nodes))).toBe("a-1");
    expect(chosenNode(decide(queued(), nodes.toReversed()))).toBe("a-1");
  });

  test("a node without free devices for a replica that needs none", () => {
    const nodes = [aNode({ name: "a-gpu", deviceIds: ["g0"] }), aNode({ name: "plain" })];
    expect(chosenNode(decide(queued(), nodes))).toBe("plain");
  });

  test("only among nodes that can take the replica", () => {
    const open = aNode({ name: "z-open", labels: { disk: "ssd" }, cpuMillis: 90_000 });
    const others = [
      aNode({ name: "a-draining", labels: { disk: "ssd" }, draining: true }),
      aNode({ name: "b-full", labels: { disk: "ssd" }, cpuMillis: 10 }),
      aNode({ name: "c-unselected" }),
      aNode({ name: "d-silent", labels: { disk: "ssd" }, health: "suspect" }),
    ];
    const decision = decide(queued({ nodeSelector: { disk: "ssd" } }), [...others, open]);
    expect(chosenNode(decision)).toBe("z-open");
    expect(decision).toMatchObject({
      because: {
        rejected: {
          schedulable: { count: 2, example: "Node//a-draining: draining" },
          capacity: { count: 1 },
          "node-selector": { count: 1 },
        },
      },
    });
  });
});

describe("place() waits on the nodes", () => {
  test.each([
    { title: "when there is none [RN6]", nodes: [], ask: {}, rule: undefined },
    {
      title: "when none has room [RN6]",
      nodes: [aNode({ cpuMillis: 50 })],
      ask: {},
      rule: "capacity",
    },
    {
      title: "when none is in an allowed region [BD6]",
      nodes: [aNode()],
      ask: { regions: ["us"] },
      rule: "allowed-location",
    },
    {
      title: "when none is in an allowed zone [BD6]",
      nodes: [aNode()],
      ask: { zones: ["eu-z"] },
      rule: "allowed-location",
    },
    {
      title: "when none matches its selector [BD7]",
      nodes: [aNode()],
      ask: { nodeSelector: { disk: "ssd" } },
      rule: "node-selector",
    },
    {
      title: "when none is without a taint it does not tolerate [BD8]",
      nodes: [aNode({ taints: [{ key: "spot", value: "yes" }] })],
      ask: {},
      rule: "taints",
    },
    {
      title: "when none is open [BD3]",
      nodes: [aNode({ health: "unknown" })],
      ask: {},
      rule: "schedulable",
    },
    {
      title: "when none has devices of the class [BD5]",
      nodes: [aNode({ deviceIds: ["f0"], deviceClass: "fpga" })],
      ask: { devices: 1 },
      rule: "devices",
    },
  ])("$title", ({ nodes, ask, rule }) => {
    const decision = decide(queued(ask), nodes, { now: 1_000 });
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "no-feasible-node",
      wakes: [NODES_FACT],
      deadlineMs: 16_000,
      because: { rejected: rule === undefined ? {} : { [rule]: { count: 1 } } },
    });
  });
});

describe("place() listens to the authority", () => {
  const full = aRefusal("node-full", { field: "Node//a-1 cpuMillis" });

  test("and passes over a node that was refused a moment ago [RN4]", () => {
    const nodes = [aNode({ name: "a-1" }), aNode({ name: "b-1", cpuMillis: 5000 })];
    expect(chosenNode(decide(queued(), nodes))).toBe("a-1");
    expect(chosenNode(decide(queued(), nodes, { feedback: [full] }))).toBe("b-1");
  });

  test("and looks again soon when only such nodes are left [RN4]", () => {
    const decision = decide(queued(), [aNode()], { now: 1_000, feedback: [full] });
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "refused-lately",
      deadlineMs: 2_000,
      wakes: [NODES_FACT],
    });
  });

  test("and does not take a refusal of one node for a refusal of its namesakes [RN4]", () => {
    const nodes = [aNode({ name: "a-10" })];
    expect(chosenNode(decide(queued(), nodes, { feedback: [full] }))).toBe("a-10");
  });
});

describe("which keys place() looks at", () => {
  test("replicas that become or stop being queued, and no others", () => {
    const view = aView(place, []);
    const bound = aReplica({ stage: "bound", node: "a-1" });
    const key = bound.key;
    expect(place.keysFor({ key, before: undefined, after: queued() }, view)).toEqual([key]);
    expect(place.keysFor({ key, before: queued(), after: bound }, view)).toEqual([key]);
    expect(place.keysFor({ key, before: bound, after: undefined }, view)).toEqual([]);
    const node = aNode();
    expect(place.keysFor({ key: node.key, before: undefined, after: node }, view)).toEqual([]);
  });

  test("all queued replicas in the resync [RN5]", () => {
    const view = aView(place, [queued({ slot: 0 }), aReplica({ slot: 1 }), queued({ slot: 2 })]);
    expect(place.allKeys(view)).toEqual([queued({ slot: 0 }).key, queued({ slot: 2 }).key]);
    expect(place.interest.kinds.has(aWorkload().kind)).toBe(false);
  });
});
