import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aNodePoolSpec, POOL } from "../../../test/builders/a-pooled-plane.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { nodeKey } from "../model/ids.ts";
import {
  type NodePoolSpec,
  type NodePoolStatus,
  poolNodeSpec,
  type Provision,
} from "../model/node/node-pool.ts";
import type { AnyObject, Node, NodePool } from "../model/objects.ts";
import { steered } from "../runner/steered.ts";
import { createProvision } from "./provision.ts";

const pool = (status: NodePoolStatus = {}, of: Partial<NodePoolSpec> = {}): NodePool => ({
  kind: "NodePool",
  key: POOL,
  meta: aMeta(POOL),
  spec: aNodePoolSpec(of),
  status,
});

const ASKED: Provision = {
  asked: { atMs: 0, epoch: 1 },
  workload: "Workload/payments/api" as Provision["workload"],
};

function provisioning(name: string, of: Partial<Provision> = {}): Node {
  const node = aNode({ name, health: "unknown" });
  const status = { ...node.status, provision: { ...ASKED, ...of } };
  return { ...node, spec: poolNodeSpec(pool()), status };
}

function machine(drivers: NonNullable<Node["status"]["drivers"]>): Node {
  const node = aNode({ name: "burst-1", cpuMillis: 100, drivers });
  return { ...node, spec: { ...node.spec, pool: "burst" } };
}

const BIG = { cpuMillis: 600, memoryMiB: 10 };
const waits = (index: number) => aReplica({ index, stage: "queued", ...BIG });
const FULL = aNode({ name: "a-1", cpuMillis: 100 });
const HUNGRY = [aWorkload({ replicas: 3, ...BIG }), FULL, aQuota()];

/** What one and the same controller concludes at these times, of these objects. */
function looks(times: readonly number[], ...objects: readonly AnyObject[]): readonly Decision[] {
  const controller: Controller = steered(createProvision());
  const view = aView(controller, objects);
  return times.map((now) => controller.reconcile(POOL, view, aLook(now)));
}

const last = (times: readonly number[], ...objects: readonly AnyObject[]): Decision =>
  looks(times, ...objects).at(-1)!;

const summary = (decision: Decision): string =>
  "because" in decision ? decision.because.summary : "";

describe("a pool", () => {
  test("is asked for a node once a replica was seen to wait for long enough [PN2]", () => {
    const [first, early, due] = looks([0, 10_000, 10_200], pool(), ...HUNGRY, waits(0));
    expect(first).toMatchObject({ kind: "wait", reason: "pool-steady" });
    expect(summary(first!)).toBe(
      `${POOL}: no replica needs a new node; 1 have not waited long enough`,
    );
    expect(early).toMatchObject({ kind: "wait", deadlineMs: 13_000 });
    expect(due).toMatchObject({
      kind: "propose",
      intents: [
        { kind: "provision", pool: "burst", node: "burst-1", workload: "Workload/payments/api" },
      ],
      because: { chosen: "burst-1" },
    });
    expect(summary(due!)).toBe(`${POOL}: 1 of Workload/payments/api fit on no node`);
  });

  test("counts a wait anew when it is another incarnation, and when another leads [PN8]", () => {
    const controller = createProvision();
    const view = aView(controller, [pool(), ...HUNGRY, waits(0)]);
    controller.reconcile(POOL, view, aLook(0));
    const again = aReplica({ index: 0, stage: "queued", incarnation: 2, ...BIG });
    const newer = { ...again, meta: { ...again.meta, revision: 11 } };
    view.replace([pool(), ...HUNGRY, newer], 11, 1);
    expect(controller.reconcile(POOL, view, aLook(20_000))).toMatchObject({ kind: "wait" });
    view.epoch = 2;
    expect(controller.reconcile(POOL, view, aLook(35_000))).toMatchObject({ kind: "wait" });
    expect(controller.reconcile(POOL, view, aLook(46_000))).toMatchObject({ kind: "propose" });
  });

  test("says of every other replica why no machine helps [PN7]", () => {
    const elsewhere = aReplica({ workload: "far", stage: "queued", zones: ["eu-b"], ...BIG });
    const small = aReplica({ workload: "small", stage: "queued", cpuMillis: 50, memoryMiB: 1 });
    const decision = last(
      [0, 20_000],
      pool(),
      ...HUNGRY,
      aWorkload({ name: "far", zones: ["eu-b"], ...BIG }),
      aWorkload({ name: "small", cpuMillis: 50, memoryMiB: 1 }),
      aReplica({ index: 0, stage: "admitted", ...BIG }),
      aNode({ name: "a-2", cpuMillis: 600 }),
      aReplica({ index: 1, stage: "starting", node: "a-2", ...BIG }),
      elsewhere,
      small,
    );
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "pool-steady",
      because: {
        rejected: {
          quota: { count: 1 },
          starting: { count: 1 },
          topology: { count: 1, example: "Workload/payments/far: allowed-location" },
          "stale-view": { count: 1, example: "Workload/payments/small" },
        },
      },
    });
    expect(summary(decision)).toContain("1 wait for quota: a new node does not help");
  });

  test("gives no machine to a replica whose driver its machines lack, and a first one to learn it [PN2] [BD15]", () => {
    const asks = { driver: "image", ...BIG } as const;
    const scene = [
      aWorkload({ ...asks }),
      FULL,
      aQuota(),
      aReplica({ index: 0, stage: "queued", ...asks }),
    ];
    expect(last([0, 20_000], pool(), ...scene)).toMatchObject({ kind: "propose" });
    const lacking = machine([{ name: "sandbox" }, { name: "image", lacks: "it lacks crun" }]);
    const refused = last([0, 20_000], pool({ asked: 1 }), ...scene, lacking);
    expect(refused).toMatchObject({
      kind: "wait",
      because: { rejected: { topology: { count: 1, example: "Workload/payments/api: driver" } } },
    });
    const able = machine([{ name: "image" }]);
    expect(last([0, 20_000], pool({ asked: 1 }), ...scene, able)).toMatchObject({
      kind: "propose",
    });
  });

  test("waits for its bounds, and says which is in the way [PN3] [PN7]", () => {
    const lately = [{ atMs: 5_000, epoch: 1 }];
    const paced = { pace: { nodes: 1, periodMs: 60_000 } };
    const scene = [...HUNGRY, waits(0)];
    const tooFast = last([0, 20_000], pool({ asked: 1, lately }, paced), ...scene);
    expect(tooFast).toMatchObject({ kind: "wait", reason: "pool-bound" });
    expect(summary(tooFast)).toContain(
      "not requested: 1 were requested within 60.0 s, the limit of the pace",
    );
    // By our own clock, and a little later than by the authority's.
    const after = last([0, 20_000, 62_000], pool({ asked: 1, lately }, paced), ...scene);
    expect(after).toMatchObject({ kind: "propose", intents: [{ node: "burst-2" }] });
    const full = last([0, 20_000], pool({}, { maxNodes: 0 }), ...scene);
    expect(full).toMatchObject({ reason: "pool-bound" });
    expect(summary(full)).toContain("not requested: there are 0 nodes, and maxNodes is 0");
    const failed = { atMs: 0, epoch: 1, reason: "sold out" };
    const backoff = last([0, 11_000], pool({ asked: 1, failures: 2, failed }), ...scene);
    expect(backoff).toMatchObject({ reason: "pool-backoff" });
    expect(summary(backoff)).toContain(
      "2 in a row did not join; the next request follows 20.0 s after",
    );
  });

  test("waits for what it has asked for, and asks for no more than is left over [PN2]", () => {
    const two = [...HUNGRY, waits(0), waits(1), provisioning("burst-1")];
    const second = last([0, 20_000], pool({ asked: 1 }), ...two);
    expect(second).toMatchObject({ kind: "propose", intents: [{ node: "burst-2" }] });
    const covered = last([0, 20_000], pool({ asked: 2 }), ...two, provisioning("burst-2"));
    expect(covered).toMatchObject({ reason: "node-provisioning" });
    expect(summary(covered)).toContain("2 fit on provisioning nodes");
  });

  test("gives up what will not come, and what should be there by now [PN5]", () => {
    const release = { kind: "expire", evidence: { kind: "provision-over", node: "burst-1" } };
    const failed = provisioning("burst-1", { failed: "sold out" });
    const told = last([0], pool({ asked: 1 }), ...HUNGRY, failed);
    expect(told).toMatchObject({ intents: [{ ...release, key: nodeKey("burst-1") }] });
    const [early, late] = looks(
      [0, 30_000, 30_700].slice(1),
      pool(),
      ...HUNGRY,
      provisioning("burst-1"),
    );
    expect([early?.kind, late?.kind]).toEqual(["wait", "wait"]);
    const overdue = last(
      [0, 30_000, 30_700],
      pool({ asked: 1 }),
      ...HUNGRY,
      provisioning("burst-1"),
    );
    expect(overdue).toMatchObject({ intents: [release] });
  });

  test("is held back by who pauses everything, and by who avoids its zone [PN3]", () => {
    const scene = [pool(), ...HUNGRY, waits(0)];
    const pause = anOverride({ action: "pause-expansion", target: {} });
    expect(last([0, 20_000], ...scene, pause)).toMatchObject({ reason: "override" });
    const avoid = anOverride({ target: { zone: "eu-a" } });
    expect(last([0, 20_000], ...scene, avoid)).toMatchObject({
      reason: "pool-steady",
      because: { rejected: { topology: { example: "Workload/payments/api: override" } } },
    });
  });
});
