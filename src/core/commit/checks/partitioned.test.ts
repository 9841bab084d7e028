import { describe, expect, test } from "vitest";
import { amountsOf } from "../../../../test/builders/a-budgeted-plane.ts";
import {
  aPartitionedPlane,
  aPlaneInTwoRegions,
  type PartitionedPlane,
  DEGRADED,
  TTL_MS,
} from "../../../../test/builders/a-partitioned-plane.ts";
import {
  putting,
  indexKey,
  type UnnamedIntent,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import type { Role } from "../../model/actor.ts";
import { replicaKey, workloadKey } from "../../model/ids.ts";
import { overrideKey } from "../../model/override.ts";
import type { Override, QuotaSpec } from "../../model/objects.ts";
import type { PolicyRules } from "../../model/policy.ts";
import { priorityClassKey } from "../../model/preemption.ts";
import { whySensitive } from "../../rules/override/partitioned.ts";

const OLD = { budget: "old" } as const;

/** Runs in west, since before the mark. */
function running(of: WorkloadSpecParts = {}, indexes = 1): PartitionedPlane {
  const plane = aPlaneInTwoRegions(DEGRADED, of);
  for (let index = 0; index < indexes; index += 1) expect(plane.place(index)).toBe("committed");
  return plane;
}

const evicting = (
  evidence: Extract<UnnamedIntent, { kind: "evict" }>["evidence"],
): UnnamedIntent => ({
  kind: "evict",
  replica: indexKey(0),
  incarnation: 1,
  evidence,
});

/** Whether work of a higher class may take the place of what is there. */
const preempting = (isMarked: boolean): string => {
  const plane = running({ cpuMillis: 2_000 });
  const spec = { value: 10 };
  plane.must(putting(priorityClassKey("high"), { kind: "PriorityClass", spec }));
  const big = workloadKey("payments", "big");
  const desired = aWorkloadSpec({ cpuMillis: 2_000, priorityClass: "high" });
  plane.must(putting(big, { kind: "Workload", spec: desired }));
  const indexes = [{ index: 0, incarnation: 1 }];
  plane.must({ kind: "enqueue", workload: big, generation: 1, indexes });
  if (isMarked) plane.mark();
  const replica = replicaKey({ tenant: "payments", workload: "big", generation: 1, index: 0 });
  const victims = [{ replica: indexKey(0), incarnation: 1 }];
  const at = { node: "w-1", deviceIds: [], policyRevision: "r-1" };
  const ask = { kind: "preempt", replica, incarnation: 1, ...at, victims, holdMs: 10_000 } as const;
  return plane.sendAs("preempt", ask, "preempt");
};

describe("what is in a partitioned region", () => {
  const repairs: readonly [title: string, ask: UnnamedIntent, role: Role][] = [
    ["drained", evicting({ kind: "drain", node: "w-1" }), "drain-node"],
    [
      "released for its node's fencing",
      {
        kind: "release",
        key: indexKey(0),
        incarnation: 1,
        evidence: { kind: "node-fenced", node: "w-1", session: 1 },
      },
      "release-lost",
    ],
  ];
  test.each(repairs)("is not %s, and is once the mark is over [DG1]", (_, ask, role) => {
    const plane = running();
    plane.renode("w-1", { draining: true });
    plane.mark();
    if (ask.kind === "release") plane.vouchedGone("w-1");
    expect(plane.sendAs(role, ask, role)).toBe("held-by-override");
    plane.nowMs += TTL_MS;
    expect(plane.sendAs(role, ask, role)).toBe("committed");
  });

  test("still ends when its workload no longer wants it, and is fenced by a person's word [DG1]", () => {
    const plane = running();
    plane.mark();
    plane.service({ replicas: 0 });
    const surplus = evicting({ kind: "surplus", workload: WORKLOAD });
    expect(plane.sendAs("admit", surplus, "admit")).toBe("committed");
    plane.vouchedGone("w-1");
    expect(plane.west().status.health).toBe("fenced");
  });

  test("is no room that is made or given back for a recovery [DG1] [DG2]", () => {
    const recovery = { withinMs: 60_000, replicas: 2, regions: ["west"] };
    const plane = aPlaneInTwoRegions(DEGRADED, { recovery });
    for (const index of [0, 1]) expect(plane.place(index, { node: "e-1" })).toBe("committed");
    expect(plane.hold(["w-1"]).kind).toBe("committed");
    plane.mark();
    expect(plane.hold(["w-1"])).toMatchObject({ code: "held-by-override" });
    plane.renode("w-1", { draining: true });
    const [kept] = plane.spares;
    expect(plane.hold([], [kept!.key])).toMatchObject({ code: "held-by-override" });
    expect(plane.unmark()).toBe("committed");
    expect(plane.hold([], [kept!.key])).toMatchObject({ kind: "committed" });
  });

  test("leaves for no preemptor [DG2]", () => {
    expect([preempting(false), preempting(true)]).toEqual(["committed", "held-by-override"]);
  });
});

describe("policy-sensitive work", () => {
  const group: QuotaSpec = { limit: amountsOf(100), group: "g-1" };
  const classes: QuotaSpec = { limit: amountsOf(100), classes: { "": amountsOf(50) } };
  const regions: QuotaSpec = { limit: amountsOf(100), regions: { west: amountsOf(50) } };
  const apart = { required: [], preferred: [], antiPreferred: [] };
  const term = (by: string) => ({ ...apart, antiRequired: [{ by, labels: { app: "db" } }] });
  const cases: readonly [
    test: string,
    of: WorkloadSpecParts,
    quota?: QuotaSpec | undefined,
    rules?: PolicyRules,
  ][] = [
    ["residency", { regions: ["west"] }],
    ["residency", { zones: ["west-a"] }],
    ["gang", { gang: { deadlineMs: 10_000 }, replicas: 1 }],
    ["disconnect", { onDisconnect: "keep" }],
    ["spread", { spread: [{ by: "node", maxSkew: 1 }] }],
    ["spread", {}, undefined, { ...DEGRADED, spread: [{ by: "zone", maxSkew: 1 }] }],
    ["neighbours", { affinity: term("region") }],
    ["quota", {}, group],
    ["quota", {}, classes],
    ["risk", { priorityClass: "high" }],
    ["risk", {}, undefined, { ...DEGRADED, degraded: { lowRisk: ["high"] } }],
    ["risk", {}, undefined, { scoring: "best-fit", recovery: { reserve: amountsOf(12) } }],
  ];
  test.each(cases)("by %s is not bound there [DG3] %#", (by, of, quota, rules = DEGRADED) => {
    const plane = aPlaneInTwoRegions(rules, of);
    if (quota !== undefined) plane.quota(quota);
    plane.mark();
    plane.queued(0);
    expect(whySensitive(plane.ledger.objects, plane.replica(0), "west")).toMatchObject({
      test: by,
    });
    expect(plane.place(0, OLD)).toBe("region-partitioned");
    expect(plane.place(0)).toBe("region-partitioned");
  });

  test("is placed as ever where no region is marked as partitioned [DG3]", () => {
    const plane = aPartitionedPlane(DEGRADED, { onDisconnect: "keep" });
    expect(plane.place(0, { node: "e-1" })).toBe("committed");
    expect("provisional" in plane.replica(0).status).toBe(false);
  });

  const harmless: readonly [title: string, of: WorkloadSpecParts, quota?: QuotaSpec][] = [
    ["is spread softly", { spread: [{ by: "region", maxSkew: 1, soft: true }] }],
    ["is kept apart on its node alone", { affinity: term("node") }],
    ["has a bound for the region itself", {}, regions],
  ];
  test.each(harmless)("is none that %s [DG3]", (_, of, quota) => {
    const plane = aPlaneInTwoRegions(DEGRADED, of);
    if (quota !== undefined) plane.quota(quota);
    plane.mark();
    expect(plane.place(0, OLD)).toBe("committed");
  });

  test("says by which mark, whose, until when and by which test it is kept away [DG3]", () => {
    const plane = aPartitionedPlane(DEGRADED, { regions: ["west"] });
    plane.queued(0);
    const bind = {
      kind: "bind",
      replica: indexKey(0),
      incarnation: 1,
      node: "w-1",
      deviceIds: [],
    } as const;
    expect(plane.send({ ...bind, policyRevision: "r-1" })).toMatchObject({
      code: "region-partitioned",
      actual:
        "override cut (mark-partitioned by ana until 1970-01-01T00:01:00Z): residency, its placement names regions or zones",
    });
  });
});

describe("work of low risk", () => {
  test("is bound there on a budget from before, provisionally, though nothing was lost [DG4]", () => {
    const plane = aPartitionedPlane();
    expect(plane.place(0)).toBe("region-partitioned");
    plane.nowMs = 5;
    expect(plane.place(0, OLD)).toBe("committed");
    const provisional = { override: "cut", sinceMs: 5, epoch: 1 };
    expect(plane.replica(0).status).toMatchObject({ budget: "old", provisional });
    expect((plane.get(overrideKey("cut")) as Override).status.budgets).toMatchObject([
      { name: "old", untilMs: 3_600_000 },
    ]);
  });

  test("is bound on none that came later, or is another under its name, or ended for all that was known [DG4]", () => {
    const plane = aPlaneInTwoRegions();
    const west = { region: "west", amounts: amountsOf(1) };
    expect(plane.grant("short", { ...west, ttlMs: 10_000 })).toBe("committed");
    expect(plane.grant("again", west)).toBe("committed");
    plane.mark();
    expect(plane.grant("new", west)).toBe("committed");
    expect(plane.withdraw("again")).toBe("committed");
    expect(plane.grant("again", west)).toBe("committed");
    expect(plane.grant("short", { ...west, ttlMs: 50_000 })).toBe("committed");
    expect(plane.place(0, { budget: "new" })).toBe("region-partitioned");
    expect(plane.place(0, { budget: "again" })).toBe("region-partitioned");
    plane.nowMs = 10_000;
    expect(plane.place(0, { budget: "short" })).toBe("region-partitioned");
    plane.nowMs = 9_999;
    expect(plane.place(0, { budget: "short" })).toBe("committed");
  });

  test("is bound on what is left of it, and for whom it is [DG4]", () => {
    const plane = aPlaneInTwoRegions();
    plane.grant("others", { region: "west", amounts: amountsOf(1), tenants: ["ads"] });
    plane.mark();
    plane.provisional(3);
    expect(plane.place(3, OLD)).toBe("budget-spent");
    expect(plane.place(3, { budget: "others" })).toBe("budget-not-for");
  });

  test("is bound on one that every mark has known [DG4]", () => {
    const plane = aPartitionedPlane();
    plane.grant("between", { region: "west", amounts: amountsOf(1) });
    expect(plane.mark("second", {}, "bob")).toBe("committed");
    expect(plane.place(0, { budget: "between" })).toBe("region-partitioned");
    expect(plane.unmark()).toBe("committed");
    expect(plane.place(0, { budget: "between" })).toBe("committed");
    expect(plane.replica(0).status.provisional).toMatchObject({ override: "second" });
  });

  test("is bound as ever once the mark is over, even before it is removed [DG4]", () => {
    const plane = aPartitionedPlane();
    plane.nowMs = TTL_MS;
    expect(plane.place(0, OLD)).toBe("budget-not-for");
    expect(plane.place(0)).toBe("committed");
    expect("provisional" in plane.replica(0).status).toBe(false);
  });
});
