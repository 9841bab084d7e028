import { describe, expect, test } from "vitest";
import { aGroup, cpu, type Group, keyFor } from "../../../../test/builders/a-group.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { putting } from "../../../../test/builders/a-plane.ts";
import type { Evidence } from "../../model/evidence.ts";
import { quotaKey } from "../../model/ids.ts";
import type { QuotaSpec } from "../../model/objects.ts";

const reclaimFor = (tenant: string, index = 0): Evidence => ({
  kind: "quota-reclaim",
  waiting: keyFor(tenant, index),
});

describe("tenants of one group", () => {
  test("borrow what others do not use, and the accounts of both sides add up [QT5] [QT2]", () => {
    const group = aGroup({
      lender: { limit: 500, group: "retail" },
      borrower: { limit: 200, group: "retail" },
    });
    for (const index of [0, 1, 2]) group.runs("borrower", index);
    expect(group.cpuOf("borrower")).toEqual({ borrowed: 100, committed: 300 });
    expect(group.cpuOf("lender")).toEqual({ free: 500 });
    expect(group.ledger.objects.quotaUsage.group("retail")?.account).toMatchObject({
      limit: { cpuMillis: 700 },
      committed: { cpuMillis: 300 },
      free: { cpuMillis: 400 },
    });
  });

  test("reserve no more together than their limits add up to [QT5]", () => {
    const group = aGroup({
      lender: { limit: 200, group: "retail", each: 200 },
      borrower: { limit: 100, group: "retail" },
    });
    for (const index of [0, 1, 2]) group.runs("borrower", index);
    expect(group.reserve("borrower", 3)).toMatchObject({
      code: "quota-exceeded",
      field: `${quotaKey("borrower")} group.retail.cpuMillis`,
      expected: 100,
      actual: 0,
    });
    expect(codeOf(group.reserve("lender"))).toBe("quota-exceeded");
  });

  test("borrow at most what their own quota allows [QT5]", () => {
    const group = aGroup({
      lender: { limit: 900, group: "retail" },
      borrower: { limit: 100, group: "retail", borrow: cpu(100) },
    });
    group.runs("borrower", 0);
    group.runs("borrower", 1);
    expect(group.reserve("borrower", 2)).toMatchObject({
      code: "quota-exceeded",
      field: `${quotaKey("borrower")} cpuMillis`,
      actual: 0,
    });
  });

  test("lend nothing that one of them waits for and is entitled to [QT5]", () => {
    const group = aGroup({
      lender: { limit: 300, group: "retail", each: 300 },
      borrower: { limit: 100, group: "retail" },
    });
    group.runs("borrower", 0);
    group.waits("lender");
    expect(group.reserve("borrower", 1)).toMatchObject({ code: "quota-exceeded", actual: 0 });
    expect(codeOf(group.reserve("lender"))).toBe("committed");
  });

  test("lend all the same what the one who waits could not use [QT5]", () => {
    const group = aGroup({
      lender: { limit: 300, group: "retail", each: 400 },
      borrower: { limit: 100, group: "retail" },
    });
    group.waits("lender");
    for (const index of [0, 1, 2])
      expect(codeOf(group.reserve("borrower", index))).toBe("committed");
  });

  test("are each other's business only in the group they name [QT5]", () => {
    const group = aGroup({
      lender: { limit: 300, group: "retail" },
      stranger: { limit: 100, group: "bank" },
      loner: { limit: 100 },
    });
    group.runs("stranger");
    group.runs("loner");
    expect(codeOf(group.reserve("stranger", 1))).toBe("quota-exceeded");
    expect(codeOf(group.reserve("loner", 1))).toBe("quota-exceeded");
  });

  test("bring and take along what they have when they join or leave [QT2]", () => {
    const group = aGroup({
      one: { limit: 300, group: "retail" },
      two: { limit: 100, group: "retail" },
    });
    for (const index of [0, 1]) group.runs("two", index);
    group.setQuota("two", { limit: cpu(100) });
    expect(group.cpuOf("two")).toEqual({ overdrawn: 100, committed: 200 });
    expect(group.ledger.objects.quotaUsage.group("retail")?.account.committed.cpuMillis).toBe(0);
    group.setQuota("two", { limit: cpu(100), group: "retail" });
    expect(group.cpuOf("two")).toEqual({ borrowed: 100, committed: 200 });
  });
});

const bind = (group: Group, index: number, node: string) =>
  group.send({ kind: "bind", replica: keyFor("one", index), incarnation: 1, node, deviceIds: [] });

describe("what a quota grants to a class or in a region", () => {
  test("bounds what replicas of the class reserve and hold [QT6]", () => {
    const group = aGroup({ one: { limit: 900, classes: { low: cpu(200) } } });
    group.prioritise("low", 10);
    group.want("one", {
      replicas: 9,
      cpuMillis: 100,
      memoryMiB: 0,
      priorityClass: "low",
      type: "batch",
    });
    const generation = 2;
    const enqueue = (...indexes: number[]) =>
      group.send({
        kind: "enqueue",
        workload: group.workloadOf("one").key,
        generation,
        indexes: indexes.map((index) => ({ index, incarnation: 1 })),
      });
    expect(enqueue(0, 1, 2)).toMatchObject({
      code: "quota-exceeded",
      field: `${quotaKey("one")} classes.low.cpuMillis`,
      expected: 300,
      actual: 200,
    });
    expect(codeOf(enqueue(0, 1))).toBe("committed");
    expect(codeOf(enqueue(2))).toBe("quota-exceeded");
  });

  test("leaves other classes alone [QT6]", () => {
    const group = aGroup({ one: { limit: 900, classes: { low: cpu(0) } } });
    expect(codeOf(group.reserve("one"))).toBe("committed");
  });

  test("bounds what is held there, and only there [QT7]", () => {
    const group = aGroup({ one: { limit: 900, regions: { eu: cpu(150) } } });
    for (const index of [0, 1, 2]) group.inQueue("one", index);
    expect(codeOf(bind(group, 0, "a-1"))).toBe("committed");
    expect(bind(group, 1, "a-1")).toMatchObject({
      code: "quota-exceeded",
      field: `${quotaKey("one")} regions.eu.cpuMillis`,
      expected: 100,
      actual: 50,
    });
    expect(codeOf(bind(group, 1, "b-1"))).toBe("committed");
  });

  test("is asked for all binds of one command together [QT7]", () => {
    const group = aGroup({ one: { limit: 900, regions: { eu: cpu(150) } } });
    const indexes = [0, 1, 2].map((index) => group.inQueue("one", index));
    const bindings = (nodes: readonly string[]) =>
      nodes.map((node, at) => ({ replica: indexes[at]!.key, incarnation: 1, node, deviceIds: [] }));
    const bindAll = (...nodes: string[]) =>
      group.send({ kind: "bind-all", bindings: bindings(nodes) }, { role: "place" });
    expect(bindAll("a-1", "b-1", "a-1")).toMatchObject({ code: "quota-exceeded", expected: 200 });
    expect(codeOf(bindAll("a-1", "b-1", "b-1"))).toBe("committed");
  });

  test("follows a node to another region [QT7]", () => {
    const group = aGroup({ one: { limit: 900, regions: { eu: cpu(100), us: cpu(100) } } });
    group.runs("one", 0, "a-1");
    group.moveNode("a-1", "us");
    group.inQueue("one", 1);
    expect(codeOf(bind(group, 1, "b-1"))).toBe("quota-exceeded");
  });
});

const lent = () => {
  const group = aGroup({
    lender: { limit: 200, group: "retail", each: 200 },
    borrower: { limit: 100, group: "retail" },
  });
  for (const index of [0, 1, 2]) group.runs("borrower", index);
  return group;
};

describe("quota that was lent", () => {
  test("is taken back for who is entitled to it, no more than needed [QT8]", () => {
    const group = lent();
    group.waits("lender");
    expect(codeOf(group.evict("borrower", 2, reclaimFor("lender")))).toBe("committed");
    expect(group.replicaAt("borrower", 2).status.stopping).toMatchObject({ reason: "quota" });
    expect(codeOf(group.evict("borrower", 1, reclaimFor("lender")))).toBe("committed");
    // What is on its way out is as good as given back.
    expect(codeOf(group.evict("borrower", 0, reclaimFor("lender")))).toBe("evidence-wrong");
    group.ended("borrower", 1);
    group.ended("borrower", 2);
    expect(group.replicaAt("borrower", 2).status).toMatchObject({ stage: "released", failures: 0 });
    expect(codeOf(group.reserve("lender"))).toBe("committed");
  });

  test("is taken at once from a replica that has no node yet [QT8]", () => {
    const group = aGroup({
      lender: { limit: 100, group: "retail" },
      borrower: { limit: 0, group: "retail" },
    });
    group.inQueue("borrower");
    group.waits("lender");
    expect(codeOf(group.evict("borrower", 0, reclaimFor("lender")))).toBe("committed");
    expect(group.replicaAt("borrower").status.stage).toBe("released");
    expect(group.cpuOf("borrower")).toEqual({});
    expect(codeOf(group.reserve("lender"))).toBe("committed");
  });

  test("is not reclaimed while no entitled replica waits [EV2] [QT8]", () => {
    const group = lent();
    expect(codeOf(group.evict("borrower", 2, reclaimFor("lender")))).toBe("evidence-wrong");
    // It asks for more than its own tenant's limit covers.
    group.want("lender", { replicas: 1, cpuMillis: 201, memoryMiB: 0 });
    group.send({
      kind: "admit",
      workload: group.workloadOf("lender").key,
      generation: 2,
      index: 0,
      incarnation: 1,
    });
    const waiting = group.workloadOf("lender");
    const evidence: Evidence = {
      kind: "quota-reclaim",
      waiting: `Replica/lender/${waiting.meta.name}.2.0` as never,
    };
    expect(codeOf(group.evict("borrower", 2, evidence))).toBe("evidence-wrong");
  });

  test("is not taken while the group has room, nor from one within its own limit [EV2] [QT8]", () => {
    const group = aGroup({
      lender: { limit: 200, group: "retail" },
      other: { limit: 100, group: "retail" },
      borrower: { limit: 100, group: "retail" },
    });
    group.runs("other");
    for (const index of [0, 1]) group.runs("borrower", index);
    group.waits("lender");
    expect(codeOf(group.evict("borrower", 1, reclaimFor("lender")))).toBe("evidence-wrong");
    group.reserve("lender");
    group.waits("lender", 1);
    expect(codeOf(group.evict("other", 0, reclaimFor("lender", 1)))).toBe("evidence-wrong");
    expect(codeOf(group.evict("borrower", 1, reclaimFor("lender", 1)))).toBe("committed");
  });

  test("is taken by reclaim-quota alone, and not from a replica on a silent node [ST1] [QT8]", () => {
    const group = lent();
    group.waits("lender");
    const { key } = group.replicaAt("borrower", 2);
    const evict = {
      kind: "evict",
      replica: key,
      incarnation: 1,
      evidence: reclaimFor("lender"),
    } as const;
    expect(codeOf(group.send(evict, { role: "admit" }))).toBe("not-owner");
    group.vouchedGone("a-1");
    expect(codeOf(group.evict("borrower", 2, reclaimFor("lender")))).toBe("wrong-stage");
  });

  test("is made up for first when the group itself is overdrawn [QT8] [QT3]", () => {
    const group = lent();
    group.setQuota("lender", { limit: cpu(100), group: "retail" });
    group.want("lender", { replicas: 1, cpuMillis: 100, memoryMiB: 0, type: "batch" });
    expect(group.ledger.objects.quotaUsage.group("retail")?.account.overdrawn.cpuMillis).toBe(100);
    group.send({
      kind: "admit",
      workload: group.workloadOf("lender").key,
      generation: 2,
      index: 0,
      incarnation: 1,
    });
    const evidence: Evidence = {
      kind: "quota-reclaim",
      waiting: "Replica/lender/api.2.0" as never,
    };
    for (const index of [2, 1])
      expect(codeOf(group.evict("borrower", index, evidence))).toBe("committed");
    expect(codeOf(group.evict("borrower", 0, evidence))).toBe("evidence-wrong");
  });
});

const shrunk = (shrink?: QuotaSpec["shrink"]) => {
  const group = aGroup({ one: { limit: 300 } });
  for (const index of [0, 1, 2]) group.runs("one", index);
  group.setQuota("one", { limit: cpu(150), ...(shrink === undefined ? {} : { shrink }) });
  return group;
};

describe("a quota that is made smaller than its use", () => {
  const evidence: Evidence = { kind: "quota-shrunk", quota: quotaKey("one") };

  test("is accepted, quotaUsage what is over, and lets nothing new in until it is made up [QT3]", () => {
    const group = shrunk();
    expect(group.cpuOf("one")).toEqual({ overdrawn: 150, committed: 300 });
    expect(group.reserve("one", 3)).toMatchObject({ code: "quota-exceeded", actual: 0 });
    group.ended("one", 0);
    group.ended("one", 1);
    expect(group.cpuOf("one")).toEqual({ free: 50, committed: 100 });
  });

  test("is drained when it says so, no further than its limit [QT3]", () => {
    const group = shrunk("drain");
    expect(codeOf(group.evict("one", 2, evidence))).toBe("committed");
    expect(codeOf(group.evict("one", 1, evidence))).toBe("committed");
    expect(codeOf(group.evict("one", 0, evidence))).toBe("evidence-wrong");
  });

  test("is not drained when it does not say so, nor on another's account [EV2] [QT3]", () => {
    expect(codeOf(shrunk().evict("one", 2, evidence))).toBe("evidence-wrong");
    const group = shrunk("drain");
    group.add("two", { limit: 100 });
    group.runs("two");
    expect(codeOf(group.evict("two", 0, evidence))).toBe("evidence-wrong");
  });
});

describe("a quota that makes no sense is refused [OB5]", () => {
  const limit = cpu(100);
  test.each<[string, QuotaSpec]>([
    ["spec.borrow", { limit, borrow: cpu(1) }],
    ["spec.borrow.cpuMillis", { limit, group: "retail", borrow: cpu(-1) }],
    ["spec.group", { limit, group: "Retail/EU" }],
    ["spec.regions.eu.cpuMillis", { limit, regions: { eu: cpu(0.5) } }],
    ["spec.classes.low.cpuMillis", { limit, classes: { low: cpu(-3) } }],
    ["spec.weight", { limit, weight: 0 }],
    ["spec.shrink", { limit, shrink: "soon" as never }],
  ])("%s", (field, spec) => {
    const group = aGroup({ one: { limit: 100 } });
    expect(group.send(putting(quotaKey("one"), { kind: "Quota", spec }))).toMatchObject({
      code: "bad-object",
      field: `${quotaKey("one")} ${field}`,
    });
  });
});
