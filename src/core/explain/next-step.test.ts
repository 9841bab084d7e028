import { describe, expect, it } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { STAGES } from "../model/stage.ts";
import { FENCE_AFTER_MS } from "../model/timing.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import type { AnyObject, Node } from "../model/objects.ts";
import { nextStepOfNode, nextStepOfReplica, nextStepOfWorkload } from "./next-step.ts";

function indexOf(...objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

const owner = (node: Node, ...others: readonly AnyObject[]): string =>
  nextStepOfNode(node, indexOf(node, ...others)).owner;

const OWNERS = {
  admitted: "admit",
  queued: "place",
  bound: "agent:a-1",
  starting: "agent:a-1",
  ready: "agent:a-1",
  serving: "nobody",
  running: "agent:a-1",
  succeeded: "nobody",
  unknown: "node-health",
  failed: "admit",
  released: "admit",
} as const;

describe("who owns the next step", () => {
  it.each(STAGES)("[EX4] of a replica that is %s", (stage) => {
    const replica = aReplica({ stage, node: "a-1" });
    expect(nextStepOfReplica(replica, indexOf()).owner).toBe(OWNERS[stage]);
  });

  it("[EX4] of a silent node, until its processes must be gone", () => {
    const lease = aLease("a-1", { renewedMs: 1_000 });
    const silent = aNode({ name: "a-1", health: "unknown" });
    const step = nextStepOfNode(silent, indexOf(lease, silent));
    expect(step).toMatchObject({ owner: "node-health", by: { atMs: 1_000 + FENCE_AFTER_MS } });
  });

  it("[EX4] of a fenced node, a drained one, a cordoned one, and one whose agent has not renewed", () => {
    const lease = aLease("a-1");
    const held = aReplica({ stage: "unknown", node: "a-1" });
    const cordons = [{ holder: "ops", reason: "" }];
    expect([
      owner(aNode({ health: "fenced" }), lease, held),
      owner(aNode({ health: "fenced" }), lease),
      owner(aNode({ draining: true }), lease, held),
      owner(aNode({ draining: true }), lease),
      owner(aNode({ cordons }), lease),
      owner(aNode()),
    ]).toEqual(["release-lost", "agent:a-1", "drain-node", "nobody", "ops", "agent:a-1"]);
  });

  it("[EX4] of a workload is the component that moves its least advanced replica on", () => {
    const workload = aWorkload();
    const ownerWith = (
      ...stages: readonly (readonly [(typeof STAGES)[number], number])[]
    ): string => nextStepOfWorkload(workload, new Map(stages)).owner;
    expect([
      ownerWith(["admitted", 1], ["queued", 2]),
      ownerWith(["queued", 2], ["serving", 1]),
      ownerWith(["failed", 1], ["serving", 1]),
      ownerWith(["bound", 1], ["serving", 1]),
      ownerWith(["serving", 3]),
    ]).toEqual(["admit", "place", "admit", "agents", "nobody"]);
  });
});
