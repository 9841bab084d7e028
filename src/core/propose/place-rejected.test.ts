import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import { AVOID_MS } from "../model/node-rejection.ts";
import { createPlace } from "./place.ts";

const API = workloadKey("payments", "api");
const OTHER = workloadKey("payments", "web");

/** One scheduler over all looks: what it has seen of a rejection it remembers. */
function scheduler(
  objects: readonly AnyObject[],
): (nowMs: number, workload?: typeof API) => Decision {
  const controller = createPlace();
  const view = aView(controller, objects);
  for (const object of objects) {
    controller.follow?.({ key: object.key, before: undefined, after: object }, view);
  }
  return (nowMs, workload = API) => controller.reconcile(workload, view, aLook(nowMs));
}

const again = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({
    stage: "queued",
    incarnation: 2,
    rejections: [{ node: "a-1", incarnation: 1 }],
    ...of,
  });

const nodeOf = (decision: Decision): string | undefined => {
  const intent = decision.kind === "propose" ? decision.intents[0] : undefined;
  return intent?.kind === "bind" ? intent.node : undefined;
};

const both = [aNode({ name: "a-1" }), aNode({ name: "b-1" })];

describe("a replica that a node has turned away", () => {
  test("goes to another node that fits [PR4]", () => {
    expect(nodeOf(scheduler([aReplica({ stage: "queued" }), ...both])(0))).toBe("a-1");
    expect(nodeOf(scheduler([again(), ...both])(0))).toBe("b-1");
  });

  test("waits for a minute when no other fits, with that reason, and is then tried there again [PR4]", () => {
    const look = scheduler([again(), aNode({ name: "a-1" })]);
    const waiting = { kind: "wait", reason: "rejected-lately" };
    expect(look(1_000)).toMatchObject({ ...waiting, deadlineMs: 6_000 });
    expect(look(AVOID_MS)).toMatchObject(waiting);
    expect(nodeOf(look(1_000 + AVOID_MS))).toBe("a-1");
  });

  test("keeps its siblings with the same request away from there, and no other work [PR4]", () => {
    const sibling = aReplica({ stage: "queued", index: 1 });
    const stranger = aReplica({ stage: "queued", workload: "web" });
    const look = scheduler([again(), sibling, stranger, aNode({ name: "a-1", cpuMillis: 10_000 })]);
    expect(look(0)).toMatchObject({ kind: "wait", reason: "rejected-lately" });
    expect(nodeOf(look(0, OTHER))).toBe("a-1");
    expect(look(1).kind).toBe("wait");
  });

  test("does not begin another minute when it left the queue and came back [PR4]", () => {
    const controller = createPlace();
    const view = aView(controller, [aNode({ name: "a-1" })]);
    const look = (nowMs: number) => controller.reconcile(API, view, aLook(nowMs));
    const move = (before: Replica | undefined, after: Replica): Replica => {
      const change = { key: after.key, before, after };
      view.objects.fold(change);
      controller.follow?.(change, view);
      return after;
    };
    const queued = move(undefined, again());
    expect(look(0)).toMatchObject({ reason: "rejected-lately" });
    const gone = move(queued, { ...queued, status: { ...queued.status, stage: "released" } });
    expect(look(30_000).kind).toBe("settled");
    move(gone, again({ incarnation: 3 }));
    expect(look(45_000)).toMatchObject({ reason: "rejected-lately" });
    expect(nodeOf(look(AVOID_MS))).toBe("a-1");
  });

  test("is shown which node it stays away from [PR4]", () => {
    const decision = scheduler([again(), aNode({ name: "a-1" })])(0);
    expect(decision).toMatchObject({
      because: { rejected: { "rejected-lately": { count: 1, example: "Node//a-1" } } },
    });
  });
});
