import { expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../../test/builders/a-replica.ts";
import { aView } from "../../../../test/builders/a-view.ts";
import type { AnyObject, Replica } from "../../model/objects.ts";
import type { View } from "../../observe/view.ts";
import { NodeFinder } from "../fleet/node-finder.ts";
import { IN_TURN } from "../fleet/placement-mode.ts";
import { createPlace } from "../place.ts";
import { createBestFit } from "../policies/best-fit.ts";
import { whyNowhere } from "./why-nowhere.ts";

function finderOn(...objects: readonly AnyObject[]): { view: View; finder: NodeFinder } {
  const view = aView(createPlace(), objects);
  return { view, finder: new NodeFinder(view, createBestFit()) };
}

const queued = (of: ReplicaParts = {}): Replica => aReplica({ stage: "queued", index: 9, ...of });

test("each rule is told with how many nodes it turned away and what the first of them has", () => {
  const { finder, view } = finderOn(
    aNode({ name: "a-full", cpuMillis: 50 }),
    aNode({ name: "b-full", cpuMillis: 60 }),
    aNode({ name: "c-closed", health: "suspect" }),
  );
  expect(whyNowhere(queued(), { finder, view, mode: IN_TURN })).toEqual({
    rejected: {
      capacity: { count: 2, example: "Node//a-full cpuMillis: 50" },
      schedulable: { count: 1, example: "Node//c-closed: suspect" },
    },
    heldBack: undefined,
  });
});

test("where only neighbours are in the way, the example is the node itself", () => {
  const sibling = aReplica({ index: 0, maxPerNode: 1, stage: "bound", node: "a-1" });
  const { finder, view } = finderOn(aNode(), sibling);
  expect(whyNowhere(queued({ maxPerNode: 1 }), { finder, view, mode: IN_TURN })).toEqual({
    rejected: { "max-per-node": { count: 1, example: "Node//a-1" } },
    heldBack: undefined,
  });
});

test("room that was only asked for, and nodes refused lately, hold it back for a moment [RN4]", () => {
  const { finder, view } = finderOn(aNode());
  const first = queued({ index: 0, cpuMillis: 1000 });
  finder.assume(first, finder.find(first)!, 0);
  expect(whyNowhere(queued(), { finder, view, mode: IN_TURN }).heldBack).toBe("room-promised");
  finder.forget(first.key);
  finder.shun("a-1", 99);
  const { rejected, heldBack } = whyNowhere(queued(), { finder, view, mode: IN_TURN });
  expect([heldBack, Object.keys(rejected)]).toEqual(["refused-lately", ["refused-lately"]]);
});
