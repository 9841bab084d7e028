import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aNodePoolSpec, POOL } from "../../../test/builders/a-pooled-plane.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { nodeKey } from "../model/ids.ts";
import type { AnyObject, Node, NodePool } from "../model/objects.ts";
import { createScaleDownIdle } from "./scale-down-idle.ts";

const KEY = nodeKey("burst-1");
const pool: NodePool = {
  kind: "NodePool",
  key: POOL,
  meta: aMeta(POOL),
  spec: aNodePoolSpec(),
  status: {},
};

function ofPool(of: Partial<NonNullable<Node["status"]["provision"]>> = {}): Node {
  const node = aNode({ name: "burst-1" });
  const asked = { atMs: 0, epoch: 1 };
  const workload = "Workload/payments/api" as Node["key"];
  const provision = { asked, workload, arrived: asked, ...of };
  return {
    ...node,
    spec: { ...node.spec, pool: "burst" },
    status: { ...node.status, provision },
  };
}

function scene(...objects: readonly AnyObject[]) {
  const controller = createScaleDownIdle();
  const view = aView(controller, [pool, aQuota(), ...objects]);
  const at = (now: number) => controller.reconcile(KEY, view, aLook(now));
  return { controller, view, at };
}

describe("a node of a pool", () => {
  test("is given back once it was seen idle for as long as the pool says [PN6]", () => {
    const { at } = scene(ofPool());
    expect(at(0)).toMatchObject({ kind: "wait", reason: "node-busy", deadlineMs: 5_000 });
    expect(at(20_000)).toMatchObject({ kind: "wait", deadlineMs: 20_400 });
    expect(at(20_400)).toMatchObject({ intents: [{ kind: "scale-down", node: "burst-1" }] });
    // Asked in vain, it is counted anew.
    expect(at(20_401)).toMatchObject({ kind: "wait" });
  });

  test("is counted anew by a new leadership [PN8]", () => {
    const { at, view } = scene(ofPool());
    at(0);
    view.epoch = 2;
    expect(at(20_400)).toMatchObject({ kind: "wait" });
  });

  test("stays while a replica is on it, or one waits that fits there [PN6]", () => {
    const busy = scene(ofPool(), aReplica({ stage: "serving", node: "burst-1" }));
    busy.at(0);
    expect(busy.at(60_000)).toMatchObject({ because: { summary: `${KEY} stays: 1 replica` } });
    const wanted = scene(ofPool(), aWorkload(), aReplica({ stage: "queued" }));
    wanted.at(0);
    const summary = `${KEY} stays: Workload/payments/api fits there`;
    expect(wanted.at(60_000)).toMatchObject({ because: { summary } });
  });

  test("is not scaled down while it is provisioning, on its way out, or of no pool [PN6]", () => {
    const soft = ofPool();
    for (const node of [
      { ...soft, spec: { ...soft.spec, supply: "soft" as const } },
      ofPool({ scalingDown: { atMs: 0, epoch: 1 } }),
      aNode({ name: "burst-1" }),
    ]) {
      expect(scene(node).at(60_000)).toEqual({ kind: "settled" });
    }
  });
});
