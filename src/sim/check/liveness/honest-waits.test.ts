import { expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../../test/builders/a-policy.ts";
import type { AnyObject, Workload } from "../../../core/model/objects.ts";
import { View } from "../../../core/observe/view.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aBeliever,
  aRecoveryBudget,
  amounts,
  aNode,
  aQuota,
  aReplica,
  aReservation,
  aWorkload,
  bound,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";
import { createHonestWaitsChecker } from "./honest-waits.ts";

const replica = aReplica();
const queued = withStatus(replica, { stage: "queued" });
const forRoom: Owed = {
  key: aWorkload().key,
  reason: "no-feasible-node",
  wakes: [],
  deadlineMs: 1,
  sinceRevision: 1,
};
const forQuota: Owed = { ...forRoom, reason: "quota-exhausted" };

function wait(owed: Owed, ...seen: readonly AnyObject[]): string[] {
  const harness = new CheckerHarness(createHonestWaitsChecker());
  const view = new View({ kinds: new Set(), node: undefined });
  view.replace(seen, 1, 1);
  harness.everyClient = [aBeliever({ view, owed: [owed] })];
  harness.finish();
  return harness.found;
}

test("a wait for what the view does not show is fine [INV18]", () => {
  expect(wait(forRoom, queued, aNode({ spec: { capacity: amounts({ cpuMillis: 1 }) } }))).toEqual(
    [],
  );
  expect(wait(forRoom, replica, aNode())).toEqual([]);
  expect(wait(forQuota, replica, aQuota({ cpuMillis: 1 }))).toEqual([]);
  expect(wait(forQuota, replica)).toEqual([]);
  expect(wait({ ...forRoom, reason: "backing-off" }, queued, aNode())).toEqual([]);
});

test("a wait for room that the view shows is reported [INV18]", () => {
  expect(wait(forRoom, queued, aNode())).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for no-feasible-node, but in its own view node-1 can take Replica/payments/api.1.0.",
  ]);
  // Whatever the first one's fate: the others of its generation are waited for, too.
  const second = withStatus(aReplica({ spec: { index: 1 } }), { stage: "queued" });
  expect(wait(forRoom, bound(replica), second, aNode())).toHaveLength(1);
});

test("a wait for free reserved room is reported, unless its owner is unwanted [INV18]", () => {
  const forHeld: Owed = { ...forRoom, reason: "room-held" };
  const hold = aReservation(queued, {
    for: "preemptor",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });
  expect(wait(forHeld, queued, hold, aNode())).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for room-held, but in its own view what node-1 holds for Replica/payments/api.1.0 is free.",
  ]);
  const newer = withStatus(aReplica({ spec: { generation: 2 } }), { stage: "queued" });
  const moved = aWorkload({ generation: 2 });
  expect(wait(forHeld, moved, queued, hold, newer, aNode())).toEqual([]);
});

test("a wait for quota that is free, or held already, is reported [INV18]", () => {
  expect(wait(forQuota, replica, aQuota())).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for quota-exhausted, but in its own view there is quota for Replica/payments/api.1.0.",
  ]);
  expect(wait(forQuota, replica, aQuota({ cpuMillis: 100 }), aReservation(replica))).toHaveLength(
    1,
  );
});

const small = (cpuMillis: number) =>
  aNode({ spec: { capacity: amounts({ cpuMillis, memoryMiB: 999 }) } });

test("a gang waits for room and for quota for all of it [INV18]", () => {
  const gang = aWorkload({ spec: { replicas: 2, gang: { deadlineMs: 1 } } });
  const second = aReplica({ spec: { index: 1 } });
  const forAll: Owed = { ...forRoom, reason: "gang-does-not-fit" };
  const both = [gang, queued, withStatus(second, { stage: "queued" })];
  expect(wait(forAll, ...both, small(199))).toEqual([]);
  expect(wait(forAll, ...both, small(200))).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for gang-does-not-fit, but in its own view there is room for all of it.",
  ]);
  expect(wait(forQuota, gang, replica, second, aQuota({ cpuMillis: 199 }))).toEqual([]);
  expect(wait(forQuota, gang, replica, second, aQuota({ cpuMillis: 200 }))).toHaveLength(1);
});

test("who waited for an override that has ended comes back in its own time [INV18]", () => {
  const gone = { ...forRoom, wakes: ["Override//ov-1"] };
  expect(wait(forRoom, queued, aNode())).toHaveLength(1);
  expect(wait(gone, queued, aNode())).toEqual([]);
});

test("room that is kept for what recovers is room, and without a budget none where there must be one [INV18]", () => {
  const recovery = { withinMs: 1, replicas: 1, regions: ["eu"] };
  const calm = aWorkload({ spec: { recovery } });
  const since = { atMs: 0, epoch: 1 };
  const under = { beganMs: 0, lost: 1, stage: "queued", since, spentMs: {} } as const;
  const lost: Workload = { ...calm, status: { ...calm.status, recovery: { reached: 1, under } } };
  const kept = aReservation(replica, {
    owner: calm.key,
    ownerUid: calm.meta.uid,
    for: "recovery",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });
  const others = [queued, kept, small(100)];
  expect(wait(forRoom, calm, ...others)).toEqual([]);
  expect(wait(forRoom, lost, ...others)).toEqual([
    "INV18 place-1 lets Workload/payments/api wait for no-feasible-node, but in its own view Reservation/payments/api.1.0.1 is kept for it.",
  ]);
  const reserve = amounts({ cpuMillis: 900, memoryMiB: 900 });
  const budgeted = [
    ...others,
    aPolicy({ active: "r-1" }),
    aRevision("r-1", { recovery: { reserve } }),
  ];
  const forBudget: Owed = { ...forRoom, reason: "recovery-budget" };
  expect(wait(forRoom, lost, ...budgeted)).toEqual([]);
  expect(wait(forBudget, lost, ...budgeted)).toEqual([]);
  const long = { untilMs: 999_999 };
  expect(wait(forBudget, lost, ...budgeted, aRecoveryBudget({ status: long }))[0]).toContain(
    "api.1.0.1 is kept for it, and RecoveryBudget//eu-1 is left",
  );
  const notForIt = [
    { region: "us" },
    { tenants: ["shop"] },
    { amounts: amounts({ cpuMillis: 1 }) },
  ];
  for (const spec of notForIt) {
    const budget = aRecoveryBudget({ spec, status: long });
    expect(wait(forBudget, lost, ...budgeted, budget)).toEqual([]);
  }
});
