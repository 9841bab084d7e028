import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import type { Controller } from "./controller.ts";
import { createDrainNode } from "../correct/drain-node.ts";
import { createReleaseLost } from "../correct/release-lost.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { createAdmit } from "../propose/admit.ts";
import { createPlace } from "../propose/place.ts";
import { steered } from "./steered.ts";

const API = workloadKey("payments", "api");
const TEXT = "override ov-1 (avoid-zone by ana until 1970-01-01T00:01:00Z)";

function decide(inner: Controller, objects: readonly AnyObject[], key = API): Decision {
  const controller = steered(inner);
  const view = aView(controller, objects);
  for (const object of objects) {
    controller.follow?.({ key: object.key, before: undefined, after: object }, view);
  }
  return controller.reconcile(key, view, aLook(1_000));
}

const queued = aReplica({ stage: "queued" });
const inA = aNode({ name: "a-1", zone: "eu-a" });
const inB = aNode({ name: "b-1", zone: "eu-b" });

describe("a scheduler", () => {
  test("passes an avoided zone over, whatever it would score [OV5]", () => {
    const intents = [{ node: "b-1" }];
    expect(decide(createPlace(), [queued, inA, inB, anOverride()])).toMatchObject({ intents });
  });

  test("waits for the override by name where only that zone has room, and is woken by it [OV11]", () => {
    const avoid = anOverride();
    const decision = decide(createPlace(), [queued, inA, avoid]);
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "override",
      because: { rejected: { override: { count: 1, example: `Node//a-1: ${TEXT}` } } },
    });
    expect(decision.kind === "wait" && decision.wakes).toContain(avoid.key);
  });

  test("does not blame an override for a zone that has no room anyway [OV11]", () => {
    const small = aNode({ name: "a-1", zone: "eu-a", cpuMillis: 1 });
    expect(decide(createPlace(), [queued, small, anOverride()])).toMatchObject({
      reason: "no-feasible-node",
    });
  });

  test("looks for no place for a frozen tenant [OV10]", () => {
    const freeze = anOverride({ action: "freeze-tenant", target: { tenant: "payments" } });
    expect(decide(createPlace(), [queued, inA, freeze])).toMatchObject({ reason: "override" });
  });
});

describe("admission", () => {
  test("asks for what was lost, and not for what never was, while expansion is paused [OV6]", () => {
    const pause = anOverride({ action: "pause-expansion", target: {} });
    const lost = aReplica({ index: 1, stage: "released" });
    const decision = decide(createAdmit(), [aWorkload({ replicas: 3 }), lost, pause]);
    expect(decision).toMatchObject({ kind: "propose", intents: [{ index: 1, incarnation: 2 }] });
    expect(decision.kind === "propose" && decision.because.rejected).toMatchObject({
      override: { count: 2 },
    });
  });
});

describe("repair", () => {
  test("waits where it is paused, and goes on with what is not meant [OV7]", () => {
    const node = aNode({ name: "a-1", health: "fenced" });
    const own = aReplica({ index: 0, stage: "unknown", node: "a-1" });
    const other = aReplica({ workload: "web", stage: "unknown", node: "a-1" });
    const pause = anOverride({
      action: "pause-repair",
      target: { tenant: "payments", workload: "api" },
    });
    const both = decide(createReleaseLost(), [node, own, other, pause], node.key);
    expect(both).toMatchObject({ kind: "propose", intents: [{ key: other.key }] });
    const alone = decide(createReleaseLost(), [node, own, pause], node.key);
    expect(alone).toMatchObject({ kind: "wait", reason: "override", wakes: [pause.key] });
    // Whatever else is due on the node is not put off until the override ends.
    expect(alone.kind === "wait" && alone.deadlineMs).toBeLessThanOrEqual(16_000);
  });

  test("says that a drain's deadline has passed, although its replicas are held there [OV7]", () => {
    const drain = { holder: "bob", reason: "", deadlineMs: 500 };
    const draining = aNode({ name: "a-1", draining: true });
    const node = {
      ...draining,
      spec: { ...draining.spec, drain },
      status: { ...draining.status, drain: { generation: 1, sinceMs: 0, epoch: 1 } },
    };
    const pinned = aReplica({ stage: "serving", node: "a-1" });
    const pin = anOverride({ action: "pin", target: { tenant: "payments", workload: "api" } });
    const controller = steered(createDrainNode());
    const view = aView(controller, [node, pinned, pin]);
    const first = controller.reconcile(node.key, view, aLook(0));
    expect(first).toMatchObject({ kind: "wait", reason: "override", deadlineMs: 510 });
    const later = controller.reconcile(node.key, view, aLook(510));
    expect(later).toMatchObject({ kind: "propose", intents: [{ kind: "drain-over" }] });
  });
});
