import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Refusal } from "../protocol/outcome.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { NODES_FACT, siblingsFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { bindAllOperation, bindOperation } from "../protocol/operations.ts";
import { createPlace } from "./place.ts";

const place = createPlace();
const API = workloadKey("payments", "api");

const queued = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "queued", ...of });

/** A scheduler that has been told of everything it sees. */
function aPlace(objects: readonly AnyObject[]): { controller: Controller; view: View } {
  const controller = createPlace();
  const view = aView(controller, objects);
  for (const object of objects) {
    controller.follow?.({ key: object.key, before: undefined, after: object }, view);
  }
  return { controller, view };
}

interface Asking {
  readonly now?: number;
  readonly feedback?: readonly Refusal[];
  readonly failures?: number;
}

function decideAll(objects: readonly AnyObject[], of: Asking = {}): Decision {
  const { controller, view } = aPlace(objects);
  const { feedback = [], failures = 0 } = of;
  return controller.reconcile(API, view, aLook(of.now ?? 1_000, { feedback, failures }));
}

const decide = (replica: Replica, others: readonly AnyObject[], of: Asking = {}): Decision =>
  decideAll([replica, ...others], of);

const chosenNode = (decision: Decision): string | undefined => {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  return intent?.kind === "bind" ? intent.node : undefined;
};

/** Which indexes were bound where, as `0:a-1`. */
const bindings = (decision: Decision): readonly string[] => {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  if (intent?.kind !== "bind-all") return [];
  return intent.bindings.map(({ replica, node }) => `${replica.split(".").at(-1)}:${node}`);
};

test("a generation that fits nowhere does not hold up an older one [RO9]", () => {
  const large = queued({ generation: 2, cpuMillis: 9_000 });
  const small = queued({ generation: 1, index: 1 });
  const decision = decideAll([large, small, aNode()]);
  expect(decision).toMatchObject({ intents: [{ kind: "bind", replica: small.key, node: "a-1" }] });
});

describe("place() proposes one bind", () => {
  test("of the incarnation it saw, under an operation that names neither node nor attempt [OP1]", () => {
    const replica = queued({ incarnation: 3 });
    const decision = decide(replica, [aNode()]);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "bind",
          operation: bindOperation(replica),
          replica: replica.key,
          incarnation: 3,
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
    expect(decideAll([aNode()])).toEqual({ kind: "settled" });
  });

  test("with exactly as many free devices as asked for, in the node's order [BD5]", () => {
    const node = aNode({ deviceIds: ["g2", "g0", "g1", "g3"] });
    const owner = aReplica({
      index: 1,
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
    expect(decide(queued({ nodeSelector: { disk: "ssd" } }), others)).toMatchObject({
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
      nodes: [aNode({ taints: [{ key: "spot", value: "yes", effect: "no-schedule" }] })],
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
      rule: "capacity",
    },
  ])("$title", ({ nodes, ask, rule }) => {
    const decision = decide(queued(ask), nodes, { now: 1_000 });
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "no-feasible-node",
      wakes: [NODES_FACT, siblingsFact("payments", "api")],
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
      wakes: [NODES_FACT, siblingsFact("payments", "api")],
    });
  });

  test("and does not take a refusal of one node for a refusal of its namesakes [RN4]", () => {
    const nodes = [aNode({ name: "a-10" })];
    expect(chosenNode(decide(queued(), nodes, { feedback: [full] }))).toBe("a-10");
  });
});

describe("place() proposes many binds at once", () => {
  const wide = [0, 1, 2].map((index) => queued({ index, cpuMillis: 400 }));

  test("for one workload, in one command that names incarnations and neither nodes nor attempts [OP1]", () => {
    const decision = decideAll([...wide, aNode({ cpuMillis: 900 }), aNode({ name: "b-1" })]);
    expect(bindings(decision)).toEqual(["0:a-1", "1:a-1", "2:b-1"]);
    expect(decision).toMatchObject({
      intents: [{ kind: "bind-all", operation: bindAllOperation(wide) }],
      because: { chosen: "a-1", summary: expect.stringContaining("3 replicas placed in all") },
    });
  });

  test("as many as fit, and the others wait for their turn", () => {
    const decision = decideAll([...wide, aNode({ cpuMillis: 800 })]);
    expect(bindings(decision)).toEqual(["0:a-1", "1:a-1"]);
    expect(chosenNode(decideAll([...wide, aNode({ cpuMillis: 400 })]))).toBe("a-1");
  });

  test("of one template generation, the newest first", () => {
    const objects = [
      queued({ index: 0 }),
      queued({ index: 1 }),
      queued({ index: 0, generation: 2 }),
    ];
    expect(decideAll([...objects, aNode()])).toMatchObject({
      intents: [{ kind: "bind", replica: objects[2]?.key }],
    });
  });

  test("fewer after every refusal, so that one stale node does not spoil them all [RN4]", () => {
    const many = Array.from({ length: 300 }, (_, index) => queued({ index, cpuMillis: 1 }));
    const node = aNode({ cpuMillis: 9_000, memoryMiB: 90_000, maxReplicas: 300 });
    const counts = [0, 1, 2, 3].map(
      (failures) => bindings(decideAll([...many, node], { failures })).length,
    );
    expect(counts).toEqual([256, 64, 16, 4]);
    expect(chosenNode(decideAll([...many, node], { failures: 9 }))).toBe("a-1");
  });
});

describe("place() counts on what it has asked for", () => {
  const other = workloadKey("payments", "web");
  const whole = { cpuMillis: 1000 };

  test("and does not promise the same room to the next workload", () => {
    const web = queued({ ...whole, workload: "web" });
    const { controller, view } = aPlace([queued(whole), web, aNode()]);
    expect(chosenNode(controller.reconcile(API, view, aLook(0)))).toBe("a-1");
    expect(controller.reconcile(other, view, aLook(0))).toMatchObject({
      kind: "wait",
      reason: "room-promised",
      deadlineMs: 1_000,
    });
    // Not granted, and looked at again: the room is open to others.
    controller.reconcile(API, view, aLook(10, { feedback: [aRefusal("node-full")] }));
    view.replace([web, aNode()], 11, 1);
    const gone = { key: queued().key, before: queued(whole), after: undefined };
    controller.follow?.(gone, view);
    expect(chosenNode(controller.reconcile(other, view, aLook(20)))).toBe("a-1");
  });

  test("for three seconds at the most", () => {
    const web = queued({ ...whole, workload: "web" });
    const { controller, view } = aPlace([queued(whole), web, aNode()]);
    controller.reconcile(API, view, aLook(0));
    expect(controller.reconcile(other, view, aLook(2_999)).kind).toBe("wait");
    expect(chosenNode(controller.reconcile(other, view, aLook(3_000)))).toBe("a-1");
  });
});

describe("which keys place() looks at", () => {
  test("the workload of replicas that become or stop being queued, and of no others", () => {
    const view = aView(place, []);
    const bound = aReplica({ stage: "bound", node: "a-1" });
    const key = bound.key;
    expect(place.keysFor({ key, before: undefined, after: queued() }, view)).toEqual([API]);
    expect(place.keysFor({ key, before: queued(), after: bound }, view)).toEqual([API]);
    expect(place.keysFor({ key, before: bound, after: undefined }, view)).toEqual([]);
    const node = aNode();
    expect(place.keysFor({ key: node.key, before: undefined, after: node }, view)).toEqual([]);
  });

  test("all workloads with queued replicas in the resync [RN5]", () => {
    const objects = [
      queued({ index: 0 }),
      aReplica({ index: 1 }),
      queued({ index: 2 }),
      queued({ workload: "web" }),
      aReplica({ workload: "db" }),
    ];
    const { controller, view } = aPlace(objects);
    expect([...controller.allKeys(view)]).toEqual([API, workloadKey("payments", "web")]);
  });
});
