import { expect, test } from "vitest";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject, Node } from "../../../core/model/objects.ts";
import type { Taint } from "../../../core/model/node/taint.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aBeliever,
  amounts,
  anAsk,
  aNode,
  aQuota,
  aReplica,
  aReservation,
  aTemplate,
  aWorkload,
  bound,
  freed,
  sharing,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker, isAtRest } from "./progress.ts";
import { STALL_MS } from "./unfinished.ts";

const replica = aReplica();
const serving = bound(replica, "node-1", { stage: "serving" });
const queued = withStatus(replica, { stage: "queued" });
const fullNode = aNode({ spec: { capacity: amounts({ cpuMillis: 1 }) } });

const waiting: Owed = {
  key: aWorkload().key,
  reason: "no-feasible-node",
  wakes: ["nodes"],
  deadlineMs: 1,
  sinceRevision: 1,
};

function benchWith(...objects: readonly AnyObject[]): CheckerHarness {
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put: objects });
  return harness;
}

/** What is reported when nothing changes for so long after the world has healed. */
function after(ms: number, harness: CheckerHarness): string[] {
  harness.sample();
  harness.nowMs += ms;
  harness.finish();
  return harness.found.map((line) => line.replace(/ It has been so for \d+ ms\.$/, ""));
}

const stalled = (...objects: readonly AnyObject[]): string[] =>
  after(STALL_MS, benchWith(...objects));

function owedBy(harness: CheckerHarness, ...owed: readonly Owed[]): CheckerHarness {
  harness.everyClient = [aBeliever({ owed })];
  return harness;
}

/** Whether something could be done for the one replica that waits. */
const isPlaceable = (...objects: readonly AnyObject[]): boolean =>
  !isAtRest(owedBy(benchWith(aWorkload(), ...objects), waiting));

const inOtherZone = (cpuMillis: number, taints: readonly Taint[] = []): Node =>
  aNode({ name: "node-2", spec: { zone: "eu-b", capacity: amounts({ cpuMillis }), taints } });

test("a world in which every index serves is at rest [LIV1]", () => {
  const harness = benchWith(aNode(), aQuota(), aWorkload(), serving);
  expect(isAtRest(harness)).toBe(true);
  expect(after(STALL_MS, harness)).toEqual([]);
});

test("a batch that has succeeded is at rest [LIV1]", () => {
  const batch = aWorkload({ spec: { type: "batch" } });
  expect(isAtRest(benchWith(batch, freed(replica, { stage: "succeeded" })))).toBe(true);
});

test("a wanted index that was never admitted is a stall [LIV1]", () => {
  expect(stalled(aWorkload())).toEqual([
    "LIV1 Replica/payments/api.1.0 is wanted and was never admitted.",
  ]);
});

test("an admitted replica is a stall when there is quota for it [LIV1]", () => {
  expect(stalled(aQuota(), aWorkload(), replica)).toEqual([
    "LIV1 Replica/payments/api.1.0 incarnation 1 is still admitted, though there is quota for it.",
  ]);
});

test("an admitted replica whose quota is reserved already is a stall [LIV1]", () => {
  const quota = aQuota({ cpuMillis: 100 });
  expect(stalled(quota, aWorkload(), replica, aReservation(replica))).toHaveLength(1);
});

test("a queued replica is a stall when a node can take it [LIV1]", () => {
  expect(stalled(aNode(), aWorkload(), queued)).toEqual([
    "LIV1 Replica/payments/api.1.0 incarnation 1 is still queued, though node-1 can take it.",
  ]);
});

test("a stall must have lasted: the same state for less is not reported [LIV1]", () => {
  const harness = benchWith(aNode(), aWorkload(), queued);
  expect(isAtRest(harness)).toBe(false);
  expect(after(STALL_MS - 1, harness)).toEqual([]);
});

test("time counts anew after any progress, and only once the world has healed [LIV1]", () => {
  const harness = new CheckerHarness(createProgressChecker(), { faultsUntilMs: STALL_MS });
  harness.commit({ put: [aNode(), aQuota(), aWorkload(), replica] });
  harness.sample();
  harness.nowMs = STALL_MS;
  harness.sample();
  harness.nowMs += STALL_MS - 1;
  harness.commit({ put: [queued] });
  harness.sample();
  expect(after(STALL_MS - 1, harness)).toEqual([]);
});

test("a failed replica is given its restart delay before it is a stall [LIV1]", () => {
  const failed = freed(replica, { stage: "failed", failures: 4 });
  expect(after(STALL_MS + 7_999, benchWith(aWorkload(), failed))).toEqual([]);
  expect(after(STALL_MS + 8_000, benchWith(aWorkload(), failed))).toHaveLength(1);
  const often = freed(replica, { stage: "failed", failures: 1000 });
  expect(after(STALL_MS + 300_000, benchWith(aWorkload(), often))).toHaveLength(1);
});

test("a replica that cannot be placed and is owed another look is at rest [LIV2]", () => {
  const harness = owedBy(benchWith(fullNode, aWorkload(), queued), waiting);
  expect(isAtRest(harness)).toBe(true);
  expect(after(STALL_MS, harness)).toEqual([]);
});

test("a replica that cannot be placed and is owed nothing is reported [LIV2]", () => {
  const message = "and cannot go on, and no controller owes it another look.";
  expect(stalled(fullNode, aWorkload(), queued)).toEqual([
    `LIV2 Replica/payments/api.1.0 is queued ${message}`,
  ]);
  expect(stalled(aWorkload(), replica)).toEqual([
    `LIV2 Replica/payments/api.1.0 is admitted ${message}`,
  ]);
});

/** Whether it is enough that this component waits. */
const owedTo = (name: string, ...objects: readonly AnyObject[]): boolean => {
  const harness = benchWith(aWorkload(), ...objects);
  harness.everyClient = [aBeliever({ name, owed: [waiting] })];
  return isAtRest(harness);
};

test("a wait counts for what its component is responsible for, and for nothing else [LIV2]", () => {
  expect([owedTo("admit", replica), owedTo("place-1", replica)]).toEqual([true, false]);
  const full = [fullNode, queued];
  expect([owedTo("place-1", ...full), owedTo("admit", ...full)]).toEqual([true, false]);
});

test("a node that is closed, barred, without the devices or too skewed cannot take a replica [LIV2]", () => {
  const device = { class: "gpu", models: [], count: 1, shareMillis: 1000 };
  const gpu = anAsk({ amounts: amounts({ deviceMillis: 1000 }), device });
  const wantsGpu = aReplica({
    spec: { template: aTemplate({ ask: gpu }) },
    status: { stage: "queued" },
  });
  const gpuNode = aNode({
    spec: {
      pools: [{ class: "gpu", model: "", ids: ["g0"] }],
      capacity: amounts({ cpuMillis: 1000, memoryMiB: 1024, deviceMillis: 1000 }),
    },
  });
  expect(isPlaceable(gpuNode, wantsGpu)).toBe(true);
  expect(isPlaceable(aNode(), wantsGpu)).toBe(false);
  const owner = bound(
    aReplica({ spec: { workload: "other", template: aTemplate({ ask: gpu }) } }),
    "node-1",
    {
      deviceIds: ["g0"],
      stage: "serving",
    },
  );
  expect(isPlaceable(gpuNode, wantsGpu, owner, aWorkload({ name: "other" }))).toBe(false);
  expect(isPlaceable(aNode({ status: { health: "suspect" } }), queued)).toBe(true); // An up node must become ready.
  expect(isPlaceable(aNode({ spec: { cordons: [{ holder: "ada", reason: "" }] } }), queued)).toBe(
    false,
  );
  expect(
    isPlaceable(
      aNode({ spec: { taints: [{ key: "gpu", value: "", effect: "no-schedule" }] } }),
      queued,
    ),
  ).toBe(false);
});

test("hard spread counts only the domains that could take a replica [LIV1]", () => {
  const template = aTemplate({ spread: [{ by: "zone", maxSkew: 1 }] });
  const there = bound(aReplica({ spec: { index: 1, template } }), "node-1", { stage: "serving" });
  const next = aReplica({ spec: { template }, status: { stage: "queued" } });
  const workload = aWorkload({ spec: { replicas: 2, template } });
  const isPlaceableOn = (...nodes: readonly AnyObject[]): boolean =>
    !isAtRest(owedBy(benchWith(workload, there, next, ...nodes), waiting));
  expect(isPlaceableOn(aNode())).toBe(true);
  expect(isPlaceableOn(aNode(), inOtherZone(1000))).toBe(true);
  expect(isPlaceableOn(aNode(), inOtherZone(1))).toBe(false);
  expect(
    isPlaceableOn(aNode(), inOtherZone(1, [{ key: "closed", value: "", effect: "no-schedule" }])),
  ).toBe(true);
});

test("a bound replica that does not come to serve on a node that is up is a stall [LIV3]", () => {
  const objects = [aNode(), aWorkload(), bound(replica)];
  expect(stalled(...objects)).toEqual([]);
  expect(after(STALL_MS + 1_000, benchWith(...objects))).toEqual([
    "LIV3 Replica/payments/api.1.0 holds node-1 and is still bound.",
  ]);
});

test("nothing is demanded of a replica on a machine that is off [LIV3]", () => {
  const harness = benchWith(aNode(), aWorkload(), bound(replica));
  harness.nodesDown.add("node-1");
  expect(isAtRest(harness)).toBe(false);
  expect(after(10 * STALL_MS, harness)).toEqual([]);
});

test("a deleted quota that no workload can use any more is reported [LIV4]", () => {
  const quota = aQuota();
  const going = { ...quota, meta: { ...quota.meta, deletingMs: 1 } };
  expect(stalled(going)).toEqual([
    `LIV4 ${quota.key} is being deleted, and no workload of its tenant is left.`,
  ]);
  expect(stalled(going, aWorkload({ spec: { replicas: 0 } }))).toEqual([]);
});

test("leftovers are reported: replicas, reservations, workloads, tenants, drained nodes [LIV4]", () => {
  expect(stalled(freed(replica))).toEqual([
    "LIV4 Replica/payments/api.1.0 is released and is not wanted.",
  ]);
  expect(stalled(aNode(), aWorkload(), serving, aReservation(replica))).toEqual([
    "LIV4 Reservation/payments/api.1.0.1 is held for Replica/payments/api.1.0 incarnation 1, which is gone.",
  ]);
  expect(stalled(aWorkload({ meta: { deletingMs: 1 } }))).toEqual([
    "LIV4 Workload/payments/api is being deleted and has 0 replicas left.",
  ]);
  const meta = { ...aWorkload().meta, namespace: "", name: "payments", deletingMs: 1 };
  const key = "Tenant//payments" as ObjectKey;
  const spec = { displayName: "" };
  expect(stalled({ kind: "Tenant", key, meta, spec, status: {} }, aQuota())).toEqual([
    "LIV4 Tenant//payments is being deleted and still owns 1 workloads and quotas.",
  ]);
  expect(stalled(aNode({ spec: { draining: true } }), aWorkload(), serving)).toEqual([
    "LIV4 Replica/payments/api.1.0 still holds node-1, which is draining.",
  ]);
});

test("a node that is up and not ready is reported, one that is off is not [LIV5]", () => {
  const suspect = aNode({ status: { health: "fenced" } });
  expect(stalled(suspect)).toEqual(["LIV5 Node//node-1 is up, and fenced to the control plane."]);
  const harness = benchWith(suspect);
  harness.nodesDown.add("node-1");
  expect(isAtRest(harness)).toBe(true);
});

const waitsFor = (tenant: string): AnyObject =>
  aReplica({ tenant, spec: { workloadUid: aWorkload({ tenant }).meta.uid } });

test("quota that was lent and does not come back to who waits for it is a stall [LIV10]", () => {
  const holder = bound(aReplica({ tenant: "b" }), "node-1", { stage: "serving" });
  const objects = [
    aNode(),
    sharing("a", 100, { group: "g" }),
    sharing("b", 0, { group: "g" }),
    aWorkload({ tenant: "a" }),
    aWorkload({ tenant: "b" }),
    waitsFor("a"),
    holder,
  ];
  expect(after(2 * STALL_MS, benchWith(...objects))).toEqual([
    "LIV10 Replica/a/api.1.0 waits for quota that is a's own, and others use it.",
  ]);
  expect(after(STALL_MS, benchWith(...objects))).toEqual([]);
  // Nobody can be asked for what is held on a silent node.
  const silent = [...objects.slice(0, -1), withStatus(holder, { stage: "unknown" })];
  const owed = { ...waiting, key: aWorkload({ tenant: "a" }).key };
  expect(
    after(2 * STALL_MS, owedBy(benchWith(...silent), owed)).filter((line) =>
      line.includes("LIV10"),
    ),
  ).toEqual([]);
});

test("a quota that is to be drained and stays overdrawn is a stall [LIV10]", () => {
  const holder = bound(replica, "node-1", { stage: "serving" });
  const quota = sharing("payments", 50, { shrink: "drain" });
  expect(stalled(aNode(), aWorkload(), quota, holder)).toEqual([
    "LIV10 Quota/payments/default is to be drained and is still overdrawn.",
  ]);
  const patient = sharing("payments", 50, { shrink: "wait" });
  expect(stalled(aNode(), aWorkload(), patient, holder)).toEqual([]);
});

const classed = (name: string, value: number): AnyObject => {
  const { meta } = aNode({ name });
  return {
    kind: "PriorityClass",
    key: `PriorityClass//${name}` as ObjectKey,
    meta,
    spec: { value },
    status: {},
  };
};

const wholeNode = (priorityClass: string, index: number, workload = "api") =>
  aReplica({
    spec: {
      workload,
      index,
      template: aTemplate({ priorityClass, ask: anAsk({ amounts: amounts({ cpuMillis: 1000 }) }) }),
    },
  });

test("work for which less important work would have to make room gets it in time [LIV9]", () => {
  const urgent = withStatus(wholeNode("high", 0), { stage: "queued" });
  const idle = bound(wholeNode("low", 0, "night"), "node-1", { stage: "serving" });
  const world = [aNode(), aWorkload(), aWorkload({ name: "night" }), urgent, idle];
  const classes = [classed("low", 1), classed("high", 2)];
  const patienceMs = STALL_MS + 60_000;
  expect(after(patienceMs, benchWith(...world, ...classes))).toEqual([
    "LIV9 Replica/payments/api.1.0 is still queued, though others on node-1 would have to make room for it.",
  ]);
  expect(after(patienceMs - 1, benchWith(...world, ...classes))).toEqual([]);
  const equals = [classed("low", 2), classed("high", 2)];
  expect(after(patienceMs, benchWith(...world, ...equals)).join()).not.toContain("LIV9");
});

test("a gang that fits and is not placed is a stall, whatever incarnations it goes through [LIV6]", () => {
  const gang = aWorkload({ spec: { gang: { deadlineMs: 1_000 } } });
  const harness = benchWith(aNode(), aQuota(), gang, queued);
  harness.sample();
  harness.nowMs += STALL_MS;
  harness.commit({ put: [withStatus(replica, { stage: "released" })] });
  harness.sample();
  expect(after(40_000, harness)).toEqual([
    "LIV6 Workload/payments/api lacks 1 members, though there is room for all of them.",
  ]);
});

test("a gang that fits nowhere must not go on holding quota, and be owed a look [LIV6] [LIV2]", () => {
  const gang = aWorkload({ spec: { gang: { deadlineMs: 1_000 } } });
  const holding = benchWith(fullNode, aQuota(), gang, queued);
  expect(isAtRest(holding)).toBe(false);
  expect(after(2 * STALL_MS + 1_000, holding)).toEqual([
    "LIV6 Workload/payments/api still holds quota for 1 members without a node.",
  ]);
  const released = withStatus(replica, { stage: "released" });
  const away = benchWith(fullNode, aQuota(), gang, released);
  expect(isAtRest(away)).toBe(false);
  away.everyClient = [aBeliever({ name: "admit", owed: [{ ...waiting, reason: "gang-backoff" }] })];
  expect(isAtRest(away)).toBe(true);
});

const batch = (workload: string) =>
  bound(
    aReplica({
      spec: {
        workload,
        type: "batch",
        template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis: 950 }) }) }),
      },
    }),
    "node-1",
    { stage: "running" },
  );

test("work that fits once the batches of a node have ended is placed in time [LIV7]", () => {
  const harness = owedBy(
    benchWith(aNode(), aWorkload(), aQuota(), batch("small"), queued),
    waiting,
  );
  const patienceMs = STALL_MS + 60_000 + harness.world.startUpMs + harness.world.batchRunMs;
  const found = after(patienceMs, harness).filter((line) => line.startsWith("LIV7"));
  expect(found).toEqual([
    "LIV7 Replica/payments/api.1.0 is still queued, though it fits on node-1 when its batches have ended.",
  ]);
  const service = bound(
    aReplica({
      spec: {
        workload: "old",
        template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis: 950 }) }) }),
      },
    }),
    "node-1",
    { stage: "serving" },
  );
  const full = owedBy(benchWith(aNode(), aWorkload(), aQuota(), service, queued), waiting);
  expect(after(patienceMs, full).filter((line) => line.startsWith("LIV7"))).toEqual([]);
});
