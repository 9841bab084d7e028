import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { type ObjectKey, workloadKey } from "../model/ids.ts";
import type { AnyObject, Replica } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { createPlace } from "./place.ts";
import { STARVING_MS } from "./queue/kept-nodes.ts";

const LARGE = workloadKey("payments", "large");
const SMALL = workloadKey("payments", "small");

class Harness {
  readonly place: Controller = createPlace();
  readonly view: View;

  constructor(...objects: readonly AnyObject[]) {
    this.view = aView(this.place, objects);
    for (const after of objects)
      this.place.follow?.({ key: after.key, before: undefined, after }, this.view);
  }

  moved(before: Replica, after: Replica): void {
    const change = { key: before.key, before, after };
    this.view.objects.fold(change);
    this.place.follow?.(change, this.view);
  }

  look(key: ObjectKey, now: number): Decision {
    return this.place.reconcile(key, this.view, aLook(now));
  }
}

const large = aReplica({ workload: "large", stage: "queued", cpuMillis: 900 });
const small = aReplica({ workload: "small", stage: "queued", cpuMillis: 100 });
const running = (type: "batch" | "service", node = "a-1"): Replica =>
  aReplica({ workload: `on-${node}`, type, stage: "running", node, cpuMillis: 500 });
const ended = (replica: Replica): Replica => ({
  ...replica,
  status: { ...replica.status, stage: "succeeded", node: undefined },
});

const starve = (harness: Harness): Decision => {
  harness.look(LARGE, 0);
  return harness.look(LARGE, STARVING_MS);
};

const chosen = (decision: Decision): string | undefined =>
  decision.kind === "propose" ? decision.because.chosen : undefined;

/** The node that is kept for the large one by a scheduler that saw the nodes in this order. */
const keptBy = (seen: readonly string[]): string | undefined => {
  const objects = seen.flatMap((name) => [aNode({ name }), running("batch", name)]);
  const decision = starve(new Harness(...objects, large));
  const summary = decision.kind === "wait" ? decision.because.summary : "";
  return /(\S+) is reserved/.exec(summary)?.[1];
};

describe("who was passed over for a minute", () => {
  test("has a node kept for it that will be empty enough by itself [QU3]", () => {
    const harness = new Harness(aNode({ name: "a-1" }), running("batch"), large, small);
    expect(starve(harness)).toMatchObject({
      kind: "wait",
      because: {
        summary: "no node fits this replica; a-1 is reserved for it until it has room",
      },
    });
    expect(harness.look(SMALL, STARVING_MS)).toMatchObject({
      kind: "wait",
      reason: "room-kept",
      deadlineMs: STARVING_MS + 5_000,
      because: { rejected: { "kept-for-another": { count: 1 } } },
    });
  });

  test("gets it once the batches there have ended, and the node is no longer reserved [QU3]", () => {
    const batch = running("batch");
    const harness = new Harness(aNode({ name: "a-1" }), batch, large, small);
    starve(harness);
    harness.moved(batch, ended(batch));
    expect(harness.look(SMALL, STARVING_MS + 1).kind).toBe("wait");
    expect(chosen(harness.look(LARGE, STARVING_MS + 2))).toBe("a-1");
    expect(chosen(harness.look(SMALL, STARVING_MS + 3))).toBe("a-1");
  });

  test("is passed over also while others are being promised what there is [QU3]", () => {
    const harness = new Harness(aNode({ name: "a-1" }), running("batch"), large, small);
    expect(harness.look(SMALL, 0).kind).toBe("propose");
    expect(harness.look(LARGE, 0)).toMatchObject({ reason: "room-promised" });
    const later = harness.look(LARGE, STARVING_MS);
    expect(later).toMatchObject({
      because: { summary: expect.stringContaining("a-1 is reserved for it") as string },
    });
  });

  test("has no node kept that only a service would have to leave [QU3]", () => {
    const harness = new Harness(aNode({ name: "a-1" }), running("service"), large, small);
    starve(harness);
    expect(chosen(harness.look(SMALL, STARVING_MS))).toBe("a-1");
  });

  test("keeps a node from others no longer than it wants one [QU3]", () => {
    const harness = new Harness(aNode({ name: "a-1" }), running("batch"), large, small);
    starve(harness);
    harness.moved(large, ended(large));
    expect(harness.look(LARGE, STARVING_MS + 1)).toEqual({ kind: "settled" });
    expect(chosen(harness.look(SMALL, STARVING_MS + 2))).toBe("a-1");
  });

  test("is kept the same node by every scheduler, whatever each of them saw before [QU3]", () => {
    const nodes = ["a-1", "a-2", "a-3", "a-4"];
    expect(nodes).toContain(keptBy(nodes));
    expect(keptBy(nodes.toReversed())).toBe(keptBy(nodes));
  });
});

test("a wait for room says where the workload stands and how long that may take", () => {
  const harness = new Harness(aNode({ name: "a-1" }), running("service"), large);
  expect(harness.look(LARGE, 0)).toMatchObject({
    because: { queue: { position: 1, of: 1, replicasAhead: 0 } },
  });
});
