import { describe, expect, test } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { FORGOTTEN_TIMES } from "../model/node/forgotten.ts";
import { nodeKey, type Uid } from "../model/ids.ts";
import type { Lease, Replica } from "../model/objects.ts";
import { createReleaseForgotten } from "./release-forgotten.ts";

const controller = createReleaseForgotten();
const bound = aReplica({ stage: "bound", node: "a-1", revision: 5 });

function leaseMissing(times: number, asOf = 9): Lease {
  const lease = aLease();
  const replicas = [{ replica: bound.key, uid: bound.meta.uid, incarnation: 1, times }];
  return { ...lease, status: { ...lease.status, forgotten: { asOf, replicas } } };
}

const decide = (lease: Lease, replica: Replica = bound): Decision =>
  controller.reconcile(nodeKey("a-1"), aView(controller, [lease, replica]), aLook(1_000));

describe("a replica that is missing from its agent's lists", () => {
  test("is given six of them, and the wait says so [FG2] [RN6]", () => {
    expect(decide(leaseMissing(FORGOTTEN_TIMES - 1))).toMatchObject({
      kind: "wait",
      reason: "agent-forgot",
      deadlineMs: 16_000,
    });
    expect(decide(leaseMissing(FORGOTTEN_TIMES))).toMatchObject({
      kind: "propose",
      intents: [{ kind: "release", key: bound.key, evidence: { kind: "agent-forgot" } }],
    });
  });

  test("is left alone when it has changed since, or is in another incarnation incarnation [FG2]", () => {
    const lease = leaseMissing(FORGOTTEN_TIMES);
    expect(decide(lease, { ...bound, meta: { ...bound.meta, revision: 10 } }).kind).toBe("wait");
    expect(decide(lease, aReplica({ stage: "bound", node: "a-1", incarnation: 2 })).kind).toBe(
      "wait",
    );
    const namesake = { ...bound, meta: { ...bound.meta, uid: "u9.9" as Uid } };
    expect(decide(lease, namesake).kind).toBe("wait");
    expect(decide(lease, aReplica({ stage: "bound", node: "b-1" })).kind).toBe("wait");
  });
});

test("a node is looked at only while its agent lacks something", () => {
  const calm = { key: aLease().key, before: aLease(), after: aLease() };
  const view = aView(controller, [leaseMissing(1)]);
  expect(controller.keysFor(calm, view)).toEqual([]);
  const news = { ...calm, after: leaseMissing(1) };
  expect(controller.keysFor(news, view)).toEqual([nodeKey("a-1")]);
  expect([...controller.allKeys(view)]).toEqual([nodeKey("a-1")]);
  expect(decide(aLease())).toEqual({ kind: "settled" });
});
