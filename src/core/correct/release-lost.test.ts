import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { AnyObject, Node, Replica } from "../model/objects.ts";
import { releaseOperation } from "../protocol/operations.ts";
import { createReleaseLost } from "./release-lost.ts";

const controller = createReleaseLost();

const on = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "unknown", node: "a-1", session: 1, ...of });

const decide = (node: NodeParts, replicas: readonly Replica[]): Decision =>
  controller.reconcile(aNode().key, aView(controller, [aNode(node), ...replicas]), aLook());

const PERSON = { kind: "person", name: "ops", statement: "scrapped" } as const;

describe("replicas on a fenced node", () => {
  test("are released on the evidence of the fence [EV1]", () => {
    const replica = on({ incarnation: 2 });
    expect(decide({ health: "fenced" }, [replica])).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "release",
          operation: releaseOperation(replica),
          key: replica.key,
          incarnation: 2,
          evidence: { kind: "node-fenced", node: "a-1", session: 1 },
        },
      ],
    });
  });

  test("that keep running when disconnected are left alone [EV5]", () => {
    expect(decide({ health: "fenced" }, [on({ onDisconnect: "keep" })]).kind).toBe("settled");
  });

  test("that keep running are released when a person vouched that the node is gone [EV5]", () => {
    const decision = decide({ health: "fenced", evidence: PERSON }, [on({ onDisconnect: "keep" })]);
    expect(decision).toMatchObject({ intents: [{ evidence: { kind: "node-fenced" } }] });
  });

  test("are released together, in order of their operations", () => {
    const replicas = [on({ index: 2 }), on({ index: 0 }), on({ index: 1 })];
    const decision = decide({ health: "fenced" }, replicas);
    const indexes =
      decision.kind === "propose" && decision.intents.map(({ operation }) => operation);
    expect(indexes).toEqual([0, 1, 2].map((index) => releaseOperation(on({ index }))));
  });
});

describe("replicas of an ended session", () => {
  test("are released, whatever the node's health, even those that keep running [EV1]", () => {
    const decision = decide({ health: "ready", session: 2 }, [on({ onDisconnect: "keep" })]);
    expect(decision).toMatchObject({
      intents: [{ evidence: { kind: "session-ended", node: "a-1", session: 1 } }],
    });
  });

  test("of the present session are left alone [EV2]", () => {
    expect(decide({ health: "ready", session: 1 }, [on({ session: 1 })]).kind).toBe("settled");
  });
});

test("silence alone releases nothing [EV1]", () => {
  for (const health of ["ready", "suspect", "unknown"] as const) {
    expect(decide({ health }, [on()]).kind).toBe("settled");
  }
});

test("a node that is gone has nothing to release", () => {
  expect(controller.reconcile(aNode().key, aView(controller, []), aLook()).kind).toBe("settled");
});

test("a changed node concerns itself, and a replica that was lost its node", () => {
  const keysOf = (node: Node, after: Node | Replica) =>
    controller.keysFor({ key: after.key, before: undefined, after }, aView(controller, [node]));
  const ready = aNode();
  const fenced = aNode({ health: "fenced" });
  expect(keysOf(ready, ready)).toEqual([ready.key]);
  expect(keysOf(ready, on())).toEqual([]);
  expect(keysOf(fenced, on())).toEqual([fenced.key]);
  expect(keysOf(fenced, aReplica({ stage: "queued" }))).toEqual([]);
  expect(controller.allKeys(aView(controller, [ready]))).toEqual([ready.key]);
});

const at = (nowMs: number, of: Controller, ...objects: readonly AnyObject[]): Decision =>
  of.reconcile(aNode().key, aView(of, objects), aLook(nowMs));

describe("replicas that are waited for", () => {
  const keeping = { onDisconnect: "keep", replaceAfterMs: 60_000 } as const;
  const fenced = { health: "fenced" } as const;

  test("are replaced when the node was silent for so long, counted from the fencing we saw [DC2]", () => {
    const own = createReleaseLost();
    const objects = [aNode(fenced), on(keeping)];
    // 41.5 s after the fencing, which took 18.5 s of silence, and a fiftieth of that for two
    // clocks.
    expect(at(5_000, own, ...objects)).toMatchObject({
      kind: "wait",
      reason: "disconnected",
      deadlineMs: 47_330,
    });
    expect(at(47_330, own, ...objects)).toMatchObject({
      intents: [{ kind: "release", evidence: { kind: "replace-after", node: "a-1", session: 1 } }],
    });
  });

  test("are not replaced twice, and not while their index has another [DC3]", () => {
    const own = createReleaseLost();
    const evidence = { kind: "replace-after", node: "a-1", session: 1 } as const;
    const replaced = on({ ...keeping, superseded: { evidence, sinceMs: 0 } });
    expect(at(900_000, own, aNode(fenced), replaced).kind).toBe("settled");
    const other = { ...aReplica({ stage: "queued" }), key: `${on().key}.r` as ObjectKey };
    at(0, own, aNode(fenced), on(keeping), other);
    expect(at(900_000, own, aNode(fenced), on(keeping), other).kind).toBe("settled");
  });

  test("that stop are released after their wait, and at once on a person's word [DC1]", () => {
    const own = createReleaseLost();
    const stops = on({ replaceAfterMs: 60_000 });
    expect(at(0, own, aNode(fenced), stops)).toMatchObject({ kind: "wait", deadlineMs: 42_330 });
    const gone = aNode({ ...fenced, evidence: PERSON });
    expect(at(0, own, gone, stops)).toMatchObject({
      intents: [{ evidence: { kind: "node-fenced" } }],
    });
  });
});

describe("two replicas of an index", () => {
  const evidence = { kind: "replace-after", node: "a-1", session: 1 } as const;
  const superseded = { evidence, sinceMs: 0 };
  const original = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
    on({ stage: "serving", session: 2, superseded, ...of });
  const beside = {
    ...on({ stage: "serving", node: "b-1", incarnation: 2 }),
    key: `${on().key}.r` as ObjectKey,
  };
  const back = { health: "ready", session: 2 } as const;

  test("are settled once the first is back, from its own node only [DC5]", () => {
    const objects = [aNode(back), aNode({ name: "b-1" }), original(), beside];
    const decideOn = (node: string): Decision =>
      controller.reconcile(nodeKey(node), aView(controller, objects), aLook());
    expect(decideOn("a-1")).toMatchObject({
      intents: [
        {
          kind: "evict",
          replica: beside.key,
          incarnation: 2,
          evidence: { kind: "reconciled", stays: original().key },
        },
      ],
    });
    expect(decideOn("b-1").kind).toBe("settled");
  });

  test("are left alone while the first is away, unheard or on its way out [DC5]", () => {
    expect(decide({ health: "unknown", session: 2 }, [original(), beside]).kind).toBe("settled");
    expect(decide(back, [original({ stage: "unknown" }), beside]).kind).toBe("settled");
    const stopping = { reason: "drain", sinceMs: 0 } as const;
    expect(decide(back, [original({ stopping }), beside]).kind).toBe("settled");
  });

  test("wake the node of the first when the second changes", () => {
    const view = aView(controller, [aNode(back), original(), beside]);
    const keys = controller.keysFor({ key: beside.key, before: beside, after: beside }, view);
    expect(keys).toEqual([nodeKey("b-1"), nodeKey("a-1")]);
  });
});
