import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../decision.ts";
import type { Node, Replica } from "../model/objects.ts";
import { releaseOperation } from "../operations.ts";
import { createReleaseLost } from "./release-lost.ts";

const controller = createReleaseLost();

const on = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "unknown", node: "a-1", session: 1, ...of });

const decide = (node: NodeParts, replicas: readonly Replica[]): Decision =>
  controller.reconcile(aNode().key, aView(controller, [aNode(node), ...replicas]), aLook());

const PERSON = { kind: "person", name: "ops", statement: "scrapped" } as const;

describe("replicas on a fenced node", () => {
  test("are released on the evidence of the fence [EV1]", () => {
    const replica = on({ life: 2 });
    expect(decide({ health: "fenced" }, [replica])).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "release",
          operation: releaseOperation(replica),
          key: replica.key,
          life: 2,
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
    const replicas = [on({ slot: 2 }), on({ slot: 0 }), on({ slot: 1 })];
    const decision = decide({ health: "fenced" }, replicas);
    const slots = decision.kind === "propose" && decision.intents.map(({ operation }) => operation);
    expect(slots).toEqual([0, 1, 2].map((slot) => releaseOperation(on({ slot }))));
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
