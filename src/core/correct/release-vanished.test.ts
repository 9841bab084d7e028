import { describe, expect, test } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { nodeKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { SUSPECT_CLOCK_FENCE_MS } from "../model/timing.ts";
import { createReleaseVanished } from "./release-vanished.ts";

const KEY = nodeKey("a-1");
const onNode = (index: number, onDisconnect: "stop" | "keep" = "stop") =>
  aReplica({ index, onDisconnect, stage: "serving", node: "a-1", session: 4 });

/** One controller, which remembers from look to look. */
function looks(): (nowMs: number, ...objects: readonly AnyObject[]) => Decision {
  const controller = createReleaseVanished();
  return (nowMs, ...objects) => controller.reconcile(KEY, aView(controller, objects), aLook(nowMs));
}

describe("a node whose object is gone", () => {
  test("is given as long as a lease can last, from when it was seen to be missing [VN1]", () => {
    const look = looks();
    const left = [onNode(0), aLease()];
    const waiting = {
      kind: "wait",
      reason: "not-silent-long-enough",
      deadlineMs: 1_000 + SUSPECT_CLOCK_FENCE_MS,
    };
    expect(look(1_000, ...left)).toMatchObject(waiting);
    expect(look(50_000, ...left)).toMatchObject(waiting);
    expect(look(1_000 + SUSPECT_CLOCK_FENCE_MS, ...left)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "release", key: onNode(0).key, evidence: { kind: "node-vanished" } }],
    });
  });

  test("begins its time anew when it was there in between [VN1]", () => {
    const look = looks();
    look(0, onNode(0), aLease());
    expect(look(100_000, onNode(0), aLease(), aNode())).toEqual({ kind: "settled" });
    expect(look(130_000, onNode(0), aLease())).toMatchObject({
      kind: "wait",
      deadlineMs: 130_000 + SUSPECT_CLOCK_FENCE_MS,
    });
  });

  test("leaves who keeps running to a person, and says what to do [VN1] [RN6]", () => {
    const look = looks();
    look(0, onNode(0, "keep"));
    const decision = look(SUSPECT_CLOCK_FENCE_MS, onNode(0, "keep"));
    expect(decision).toMatchObject({ kind: "wait", reason: "needs-a-person" });
    expect(JSON.stringify(decision)).toContain("create it again, and fence it");
  });

  test("loses its lease with the last of its replicas [VN2]", () => {
    expect(looks()(0, aLease())).toMatchObject({
      kind: "propose",
      intents: [{ kind: "expire", key: "Lease//a-1", evidence: { kind: "node-vanished" } }],
    });
  });

  test("is found by a resync, and by nothing that happens to nodes that are there", () => {
    const controller = createReleaseVanished();
    const view = aView(controller, [onNode(0), aLease(), aNode({ name: "b-1" })]);
    expect([...controller.allKeys(view)]).toEqual([KEY]);
    const there = aReplica({ stage: "serving", node: "b-1" });
    expect(controller.keysFor({ key: there.key, before: undefined, after: there }, view)).toEqual(
      [],
    );
    const gone = onNode(0);
    expect(controller.keysFor({ key: gone.key, before: undefined, after: gone }, view)).toEqual([
      KEY,
    ]);
  });
});
