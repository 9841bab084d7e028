import { describe, expect, test } from "vitest";
import { putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import {
  aNodePoolSpec,
  aPooledPlane,
  POOL,
  type PooledPlane,
} from "../../../../test/builders/a-pooled-plane.ts";
import { anOverrideSpec } from "../../../../test/builders/an-override.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey, type ObjectKey, policyKey, policyRevisionKey } from "../../model/ids.ts";
import {
  type NodePoolSpec,
  poolBackoffMs,
  type ProvisioningRules,
} from "../../model/node/node-pool.ts";
import type { OverrideSpec } from "../../model/override.ts";
import { capacityClasses } from "../../rules/capacity-classes.ts";
import type { RefusalCode } from "../../protocol/refusals.ts";

const UNNEEDED = "provision-not-needed";

/** What comes of a policy that says this of all pools. */
function ruled(provisioning: ProvisioningRules): string {
  const spec = { scoring: "best-fit", provisioning } as const;
  const put = putting(policyRevisionKey("p-1"), { kind: "PolicyRevision", spec });
  return codeOf(aPooledPlane().send(put));
}

/** A gang of three: one has room on a-1, and is placed when the other two are. */
function ofThree(maxNodes: number): PooledPlane {
  const plane = aPooledPlane({ maxNodes }, { waiting: 0, desired: { replicas: 0 } });
  plane.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 3, gang: { deadlineMs: 600_000 } });
  for (const index of [0, 1, 2]) plane.queued(index);
  plane.nowMs += 10_000;
  return plane;
}

describe("a pool", () => {
  test.each([
    ["region", { region: "" }],
    ["provisioner", { provisioner: "" }],
    ["maxNodes", { maxNodes: 10_001 }],
    ["pace.nodes", { pace: { nodes: 0, periodMs: 60_000 } }],
    ["pace.nodes", { pace: { nodes: 101, periodMs: 60_000 } }],
    ["pace.periodMs", { pace: { nodes: 1, periodMs: 999 } }],
    ["pendingForMs", { pendingForMs: 86_400_001 }],
    ["readyWithinMs", { readyWithinMs: 999 }],
    ["idleAfterMs", { idleAfterMs: 0 }],
    ["maxReplicas", { maxReplicas: -1 }],
    ["pools[0].class", { pools: [{ class: "", model: "", count: 1 }] }],
    ["capacity.deviceMillis", { pools: [{ class: "gpu", model: "", count: 2 }] }],
  ] as const)("is refused with a bad %s [PN1]", (field, of: Partial<NodePoolSpec>) => {
    const outcome = aPooledPlane().pool(of, "other");
    expect(outcome).toMatchObject({ code: "bad-object" });
    expect("field" in outcome && outcome.field).toContain(`spec.${field}`);
  });

  test("is bounded by a policy with both a number and a period, or neither [PN1]", () => {
    expect(ruled({ nodes: 1 })).toBe("bad-object");
    expect(ruled({ nodes: 0, periodMs: 1_000 })).toBe("bad-object");
    expect(ruled({ maxNodes: 10_001 })).toBe("bad-object");
    expect(ruled({ maxNodes: 3, nodes: 1, periodMs: 1_000 })).toBe("committed");
  });

  test("is not deleted while there are nodes of it [PN1]", () => {
    const plane = aPooledPlane();
    plane.provisioned();
    const goes = { kind: "delete", key: POOL, expect: {} } as const;
    expect(codeOf(plane.send(goes))).toBe("still-in-use");
    plane.must({ kind: "delete", key: nodeKey("burst-1"), expect: {} });
    expect(codeOf(plane.send(goes))).toBe("committed");
  });
});

describe("a node is asked for", () => {
  test("as one that is provisioning, like the pool says, for who waits [PN2] [PN4]", () => {
    const plane = aPooledPlane({
      capacity: { cpuMillis: 900, memoryMiB: 900, deviceMillis: 2_000 },
      pools: [{ class: "gpu", model: "A100", count: 2 }],
      labels: { disk: "ssd" },
      taints: [{ key: "slow", value: "", effect: "prefer-no-schedule" }],
      maxReplicas: 3,
    });
    expect(plane.provisioned()).toMatchObject({
      meta: { labels: { disk: "ssd" } },
      spec: {
        pool: "burst",
        supply: "soft",
        zone: "eu-a",
        capacity: { cpuMillis: 900 },
        pools: [{ class: "gpu", model: "A100", ids: ["gpu-0", "gpu-1"] }],
        taints: [{ key: "slow" }],
        maxReplicas: 3,
      },
      status: {
        health: "unknown",
        provision: { workload: WORKLOAD, asked: { atMs: plane.nowMs, epoch: 1 } },
      },
    });
    expect(plane.held.status).toEqual({ asked: 1, lately: [{ atMs: plane.nowMs, epoch: 1 }] });
  });

  test("by its controller alone, under the next name [PN2]", () => {
    const plane = aPooledPlane();
    plane.nowMs += 10_000;
    const ask = { kind: "provision", pool: "burst", node: "burst-1", workload: WORKLOAD } as const;
    expect(codeOf(plane.send(ask, { role: "user" }))).toBe("not-owner");
    expect(codeOf(plane.provision("burst-2"))).toBe("already-exists");
    expect(codeOf(plane.provision("burst-1", { pool: "ghost" }))).toBe("no-such-object");
    // A namesake is passed over.
    plane.joined("burst-1", { cpuMillis: 1 });
    expect(codeOf(plane.provision("burst-2"))).toBe("committed");
    expect(plane.held.status.asked).toBe(2);
  });

  test("not before a replica has waited for as long as the pool says [PN2]", () => {
    const plane = aPooledPlane();
    plane.nowMs += 9_999;
    expect(plane.provision()).toMatchObject({
      code: "provision-not-needed",
      field: WORKLOAD,
      actual: "1 too-soon",
    });
    plane.nowMs += 1;
    expect(codeOf(plane.provision())).toBe("committed");
  });

  test("and a new leadership counts the wait from its own beginning, whatever the old clock showed [PN8]", () => {
    const plane = aPooledPlane();
    plane.nowMs = 5_000;
    plane.lead(2);
    plane.nowMs += 9_999;
    expect(codeOf(plane.provision())).toBe("provision-not-needed");
    plane.nowMs += 1;
    expect(codeOf(plane.provision())).toBe("committed");
    // One whose clock is far behind sees a wait that is still to begin.
    const behind = aPooledPlane();
    behind.nowMs = 1_000_000;
    behind.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 3 });
    behind.queued(2);
    behind.nowMs = 5_000;
    behind.lead(2);
    behind.nowMs += 10_000;
    expect(codeOf(behind.provision())).toBe("committed");
  });

  test("not for quota, not for a slow start, not for a place that no such node is [PN2]", () => {
    const short = aPooledPlane({}, { waiting: 0, desired: { replicas: 2 } });
    short.admitted(1);
    short.nowMs += 60_000;
    expect(short.provision()).toMatchObject({ code: "provision-not-needed", actual: "1 quota" });
    const slow = aPooledPlane({}, { waiting: 0, desired: { replicas: 2 } });
    slow.joined("a-2");
    slow.bound({ index: 1, node: "a-2" });
    slow.nowMs += 60_000;
    expect(slow.provision()).toMatchObject({ code: "provision-not-needed", actual: "1 starting" });
    for (const desired of [{ zones: ["eu-b"] }, { nodeSelector: { disk: "ssd" } }]) {
      // Where it runs now is one it may be on; the pool is not.
      const plane = aPooledPlane({}, { waiting: 0 });
      plane.putDesired({ cpuMillis: 600, memoryMiB: 10, replicas: 2, ...desired });
      plane.must({
        kind: "roll",
        workload: WORKLOAD,
        retargets: 1,
        move: { kind: "advance", begin: [1], drop: [], step: 0 },
      });
      plane.queued(1);
      plane.nowMs += 10_000;
      expect(plane.provision()).toMatchObject({
        code: "provision-not-needed",
        actual: "1 topology",
      });
    }
  });

  test("not while a node that is there takes him [PN2]", () => {
    const plane = aPooledPlane();
    plane.joined("a-2");
    plane.nowMs += 10_000;
    expect(plane.provision()).toMatchObject({
      code: "provision-not-needed",
      actual: "1 stale-view",
    });
  });

  test("not where what was asked for already covers him, one replica after the other [PN2]", () => {
    const plane = aPooledPlane({}, { waiting: 2 });
    plane.provisioned("burst-1");
    expect(codeOf(plane.provision("burst-2"))).toBe("committed");
    // Two nodes are provisioning, and each takes one of the two.
    expect(plane.provision("burst-3")).toMatchObject({
      code: "provision-not-needed",
      actual: "2 provisioning",
    });
    // One that will not come covers nobody.
    plane.say({ failed: "sold out" }, "burst-2");
    plane.nowMs += 10_000;
    expect(codeOf(plane.provision("burst-3"))).toBe("committed");
  });

  test("not for a part of a gang, and not for one that the pool cannot make whole [PN2]", () => {
    const whole = ofThree(2);
    expect(codeOf(whole.provision())).toBe("committed");
    expect(codeOf(whole.provision("burst-2"))).toBe("committed");
    const part = ofThree(1);
    const actual = "1 stale-view, 2 gang";
    expect(part.provision()).toMatchObject({ code: "provision-not-needed", actual });
  });
});

describe("bounds", () => {
  test("a pool has no more nodes than it may, however they are [PN3]", () => {
    const plane = aPooledPlane({ maxNodes: 1 }, { waiting: 2 });
    plane.provisioned();
    const full = { code: "provision-bound", field: `${POOL} maxNodes`, actual: 1 };
    expect(plane.provision("burst-2")).toMatchObject(full);
    plane.arrived();
    expect(plane.provision("burst-2")).toMatchObject(full);
  });

  test("nor faster than its pace, also across a change of the lead [PN3] [PN8]", () => {
    const plane = aPooledPlane({ pace: { nodes: 1, periodMs: 60_000 } }, { waiting: 3 });
    plane.provisioned();
    plane.nowMs += 59_999;
    expect(plane.provision("burst-2")).toMatchObject({
      code: "provision-bound",
      field: `${POOL} pace`,
    });
    plane.lead(2);
    plane.nowMs += 59_999;
    expect(codeOf(plane.provision("burst-2"))).toBe("provision-bound");
    plane.nowMs += 1;
    expect(codeOf(plane.provision("burst-2"))).toBe("committed");
  });

  test("all pools of a region together have no more than its policy says, and not faster [PN3]", () => {
    const plane = aPooledPlane({}, { waiting: 4 });
    plane.pool({}, "other");
    const rules = { maxNodes: 2, nodes: 1, periodMs: 30_000 };
    const spec = { scoring: "best-fit", provisioning: rules } as const;
    plane.must(putting(policyRevisionKey("p-1"), { kind: "PolicyRevision", spec }));
    plane.must(putting(policyKey("default"), { kind: "Policy", spec: { active: "p-1" } }));
    plane.provisioned();
    const other = (node: string) => plane.provision(node, { pool: "other" });
    expect(other("other-1")).toMatchObject({ field: "NodePool//other pace of all pools in eu" });
    plane.nowMs += 30_000;
    expect(codeOf(other("other-1"))).toBe("committed");
    plane.nowMs += 30_000;
    expect(other("other-2")).toMatchObject({
      field: "NodePool//other maxNodes of all pools in eu",
    });
  });

  test.each<[string, RefusalCode, Partial<OverrideSpec>]>([
    ["who pauses everything", "held-by-override", { action: "pause-expansion", target: {} }],
    // Nobody could go there, or nobody may: then nobody is helped.
    ["who avoids the zone", UNNEEDED, { action: "avoid-zone", target: { zone: "eu-a" } }],
    ["who avoids the node", UNNEEDED, { action: "avoid-node", target: { node: "burst-1" } }],
    ["who froze the tenant", UNNEEDED, { action: "freeze-tenant", target: { tenant: "payments" } }],
  ])("%s holds it back, for as long as that [PN3]", (_, code, of) => {
    const plane = aPooledPlane();
    plane.nowMs += 10_000;
    const spec = anOverrideSpec(of);
    plane.must(putting("Override//ov-1" as ObjectKey, { kind: "Override", spec }));
    expect(codeOf(plane.provision())).toBe(code);
    plane.nowMs += 60_000;
    expect(codeOf(plane.provision())).toBe("committed");
  });
});

describe("a provisioning node", () => {
  test("takes nothing until its agent speaks, and then like any other [PN4]", () => {
    const plane = aPooledPlane();
    plane.provisioned();
    const { key } = plane.replica(1);
    const bind = {
      kind: "bind",
      replica: key,
      incarnation: 1,
      node: "burst-1",
      deviceIds: [],
    } as const;
    expect(codeOf(plane.send(bind))).toBe("supply-is-soft");
    expect(plane.arrived()).toMatchObject({
      meta: { generation: 2 },
      status: { health: "ready", provision: { arrived: { atMs: plane.nowMs } } },
    });
    expect(plane.node("burst-1").spec.supply).toBeUndefined();
    expect(codeOf(plane.send(bind))).toBe("committed");
    plane.renew({ node: "burst-1", seq: 2 });
    expect(plane.known().arrived).toBeDefined();
  });

  test("is registered by no other agent, which does not change its pool either [PN4]", () => {
    const plane = aPooledPlane();
    const { spec } = plane.provisioned();
    const put = (desired: typeof spec, name = "burst-1") =>
      codeOf(plane.send(putting(nodeKey(name), { kind: "Node", spec: desired })));
    const { supply: _, ...hard } = spec;
    expect(put(hard)).toBe("pool-fixed");
    const { pool: __, ...nobodys } = spec;
    expect(put(nobodys)).toBe("pool-fixed");
    expect(put(spec, "mine")).toBe("pool-fixed");
    expect(put({ ...spec, cordons: [{ holder: "user", reason: "later" }] })).toBe("committed");
    plane.arrived();
    expect(put(spec)).toBe("pool-fixed");
  });

  test("is told of by its provisioner alone, and each thing once [PN5]", () => {
    const plane = aPooledPlane();
    plane.provisioned();
    const asked = { kind: "provisioned", node: "burst-1", outcome: "asked" } as const;
    expect(codeOf(plane.send(asked, { role: "provision" }))).toBe("not-owner");
    expect(codeOf(plane.say("asked", "a-1"))).toBe("provision-told");
    expect(codeOf(plane.say("asked", "ghost"))).toBe("no-such-object");
    expect(codeOf(plane.say("gone"))).toBe("provision-told");
    expect(codeOf(plane.say("asked"))).toBe("committed");
    expect(codeOf(plane.say("asked"))).toBe("provision-told");
    expect(codeOf(plane.say({ failed: "sold out" }))).toBe("committed");
    expect(codeOf(plane.say({ failed: "sold out again" }))).toBe("provision-told");
    expect(plane.known()).toMatchObject({ accepted: { epoch: 1 }, failed: "sold out" });
    plane.arrived();
    expect(codeOf(plane.say({ failed: "too late" }))).toBe("provision-told");
  });

  test("goes when it will not come, or has not come in time, and not before [PN5]", () => {
    const plane = aPooledPlane();
    plane.provisioned();
    plane.nowMs += 29_999;
    expect(codeOf(plane.giveUp())).toBe("provision-not-over");
    plane.lead(2);
    plane.nowMs += 29_999;
    expect(codeOf(plane.giveUp())).toBe("provision-not-over");
    plane.nowMs += 1;
    expect(codeOf(plane.giveUp())).toBe("committed");
    expect(plane.get(nodeKey("burst-1"))).toBeUndefined();
    expect(plane.held.status).toMatchObject({ failures: 1, failed: { epoch: 2 } });
    plane.nowMs += 60_000;
    plane.provisioned("burst-2");
    plane.say({ failed: "sold out" }, "burst-2");
    expect(plane.held.status).toMatchObject({ failures: 2, failed: { reason: "sold out" } });
    const user = { role: "user" } as const;
    const evidence = { kind: "provision-over", node: "burst-2" } as const;
    const release = { kind: "expire", key: nodeKey("burst-2"), incarnation: 0, evidence } as const;
    expect(codeOf(plane.send(release, user))).toBe("not-owner");
    const wrong = { ...release, evidence: { ...evidence, node: "burst-3" } };
    expect(codeOf(plane.send(wrong))).toBe("evidence-wrong");
    expect(codeOf(plane.giveUp("burst-2"))).toBe("committed");
    // It failed once, and is not counted again.
    expect(plane.held.status.failures).toBe(2);
  });

  test("that has come is not given up, though it was said to have failed [PN5]", () => {
    const plane = aPooledPlane();
    plane.provisioned();
    plane.say({ failed: "sold out" });
    plane.arrived();
    expect(plane.known().failed).toBeUndefined();
    expect(codeOf(plane.giveUp())).toBe("provision-not-over");
    expect(plane.held.status).toEqual({ asked: 1, lately: plane.held.status.lately });
  });

  test("that fails makes its pool wait, twice as long each time, up to ten minutes [PN5]", () => {
    expect([0, 1, 2, 3, 7, 50].map(poolBackoffMs)).toEqual([
      0, 10_000, 20_000, 40_000, 600_000, 600_000,
    ]);
    const plane = aPooledPlane();
    plane.provisioned();
    plane.say({ failed: "sold out" });
    plane.nowMs += 9_999;
    expect(plane.provision("burst-2")).toMatchObject({
      code: "provision-backoff",
      expected: "10000 ms since the last",
      actual: 9_999,
    });
    plane.nowMs += 1;
    expect(codeOf(plane.provision("burst-2"))).toBe("committed");
    plane.say({ failed: "sold out" }, "burst-2");
    plane.nowMs += 19_999;
    expect(codeOf(plane.provision("burst-3"))).toBe("provision-backoff");
    plane.nowMs += 1;
    plane.provisioned("burst-3");
    plane.arrived("burst-3");
    expect(plane.held.status.failures).toBeUndefined();
  });
});

test("what is provisioning is counted as soft, and nothing of it as there [PN4]", () => {
  const plane = aPooledPlane();
  const before = capacityClasses(plane.ledger.objects).total;
  plane.provisioned();
  const { total } = capacityClasses(plane.ledger.objects);
  expect(total).toEqual({ ...before, soft: aNodePoolSpec().capacity });
});
