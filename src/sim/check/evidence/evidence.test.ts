import { expect, test } from "vitest";
import type { Evidence } from "../../../core/model/evidence.ts";
import type { AnyObject, Replica, Workload } from "../../../core/model/objects.ts";
import { createEvidenceChecker } from "./evidence.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aLease,
  aNode,
  aProcess,
  aReplica,
  aReservation,
  aTemplate,
  aWorkload,
  bound,
  freed,
  sharing,
  withStatus,
} from "../../../../test/builders/check/fixtures.ts";

const replica = aReplica();
const serving = bound(replica, "node-1", { stage: "serving" });
const fenced = aNode({ status: { health: "fenced" } });
const expired: Evidence = { kind: "lease-expired", node: "node-1", session: 1, seq: 1 };
const wasFenced: Evidence = { kind: "node-fenced", node: "node-1", session: 1 };

/** A node that renewed its lease at time 0, and whatever else there is. */
function benchWith(...objects: readonly AnyObject[]): CheckerHarness {
  const harness = new CheckerHarness(createEvidenceChecker());
  harness.commit({ put: [aNode(), ...objects] });
  harness.commit({ command: "lease", role: "agent", put: [aLease()] });
  harness.leasesSentMs.set("node-1", 0);
  return harness;
}

function fenceAfter(harness: CheckerHarness, ms: number, evidence: Evidence = expired): void {
  harness.nowMs = ms;
  harness.commit({ command: "transition", role: "node-health", evidence, put: [fenced] });
}

test("a node fenced when its lease is over and its processes are dead is fine [INV12]", () => {
  const harness = benchWith(serving);
  harness.start(aProcess({ leashed: false }));
  harness.start(aProcess({ node: "node-2" }));
  fenceAfter(harness, 18_500);
  expect(harness.found).toEqual([]);
});

test("a node fenced before its lease is over is reported [INV12]", () => {
  const harness = benchWith();
  fenceAfter(harness, 14_000);
  expect(harness.found).toEqual([
    "INV12 Node//node-1 was fenced 14000 ms after it sent a renewal that was committed.",
  ]);
});

test("a node fenced while a leashed process runs there is reported [INV12]", () => {
  const harness = benchWith(serving);
  harness.start(aProcess());
  fenceAfter(harness, 18_500);
  expect(harness.found).toEqual([
    "INV12 Node//node-1 was fenced while leashed Replica/payments/api.1.0 incarnation 1 is running there.",
  ]);
});

test("a node fenced for a renewal that was followed by another is reported [INV12]", () => {
  const harness = benchWith();
  harness.commit({ command: "lease", role: "agent", put: [aLease("node-1", { seq: 2 })] });
  fenceAfter(harness, 18_500);
  expect(harness.found).toEqual([
    "INV12 Node//node-1 was fenced because renewal 1.1 ran out; 1.2 was committed since.",
  ]);
});

test("a node fenced on evidence that does not permit it is reported [INV12]", () => {
  const harness = benchWith();
  fenceAfter(harness, 18_500, { kind: "drain", node: "node-1" });
  expect(harness.found).toEqual([
    "INV12 Node//node-1 was fenced on drain, which does not permit it.",
  ]);
});

test("a person may fence a node at any time [INV12]", () => {
  const harness = benchWith(serving);
  harness.start(aProcess());
  fenceAfter(harness, 1, { kind: "person", name: "ada", statement: "It burnt." });
  expect(harness.found).toEqual([]);
});

test("a replica released after its node was fenced, or came back in a new session, is fine [INV12]", () => {
  const harness = benchWith(serving);
  fenceAfter(harness, 18_500);
  harness.commit({ command: "release", evidence: wasFenced, put: [freed(replica)] });
  harness.commit({
    put: [bound(replica, "node-1", { incarnation: 2 }), aNode({ status: { session: 2 } })],
  });
  harness.commit({
    command: "release",
    evidence: { kind: "session-ended", node: "node-1", session: 1 },
    put: [freed(replica, { incarnation: 2 })],
  });
  expect(harness.found).toEqual([]);
});

test("a replica released on evidence that is not so is reported [INV12]", () => {
  const harness = benchWith(serving);
  const release = (evidence: Evidence): void => {
    harness.commit({ command: "release", evidence, put: [serving] });
  };
  release(wasFenced);
  release({ kind: "session-ended", node: "node-1", session: 1 });
  release({ kind: "node-fenced", node: "node-2", session: 1 });
  release({ kind: "surplus", workload: aWorkload().key });
  expect(harness.found).toEqual([
    "INV12 Replica/payments/api.1.0 was released on node-fenced: node-1 was not fenced in session 1.",
    "INV12 Replica/payments/api.1.0 was released on session-ended: node-1 is still in session 1.",
    "INV12 Replica/payments/api.1.0 was released on node-fenced: it holds node-1 in session 1, not node-2 in session 1.",
    "INV12 Replica/payments/api.1.0 was released on surplus: that does not permit the release of a replica.",
  ]);
});

test("a replica that keeps running is not released because its node was fenced [INV12]", () => {
  const keeping = aReplica({ spec: { template: aTemplate({ onDisconnect: "keep" }) } });
  const harness = benchWith(bound(keeping));
  fenceAfter(harness, 18_500);
  harness.commit({ command: "release", evidence: wasFenced, put: [freed(keeping)] });
  expect(harness.found).toEqual([
    "INV12 Replica/payments/api.1.0 was released on node-fenced: it keeps running when disconnected, so silence does not end it.",
  ]);
});

test("a reservation released once its owner moved on is fine, before that it is reported [INV12]", () => {
  const reservation = aReservation(replica);
  const evidence: Evidence = { kind: "owner-gone", owner: replica.key };
  const moved = benchWith(withStatus(replica, { incarnation: 2 }), reservation);
  moved.commit({ command: "unreserve", evidence, remove: [reservation.key] });
  expect(moved.found).toEqual([]);
  const waiting = benchWith(withStatus(replica, { stage: "queued" }), reservation);
  waiting.commit({ command: "unreserve", evidence, remove: [reservation.key] });
  expect(waiting.found).toEqual([
    "INV12 Reservation/payments/api.1.0.1 was released on owner-gone: Replica/payments/api.1.0 incarnation 1 is queued.",
  ]);
});

test("an eviction of what the workload no longer wants is fine, of what it wants is reported [INV12]", () => {
  const evidence: Evidence = { kind: "surplus", workload: aWorkload().key };
  const evictFrom = (workload: Workload): string[] => {
    const harness = benchWith(serving, workload);
    harness.commit({ command: "evict", role: "admit", evidence, put: [serving] });
    return harness.found;
  };
  expect(evictFrom(aWorkload({ spec: { replicas: 0 } }))).toEqual([]);
  expect(evictFrom(aWorkload({ generation: 2 }))).toEqual([]);
  expect(evictFrom(aWorkload({ meta: { deletingMs: 1 } }))).toEqual([]);
  expect(evictFrom(aWorkload())).toEqual([
    "INV12 Replica/payments/api.1.0 was evicted on surplus: Workload/payments/api wants index 0 of generation 1.",
  ]);
});

test("an eviction from a node that is not draining is reported [INV12]", () => {
  const evidence: Evidence = { kind: "drain", node: "node-1" };
  const harness = benchWith(serving);
  harness.commit({ command: "evict", role: "drain-node", evidence, put: [serving] });
  harness.commit({ put: [aNode({ spec: { draining: true } })] });
  harness.commit({ command: "evict", role: "drain-node", evidence, put: [serving] });
  expect(harness.found).toEqual([
    "INV12 Replica/payments/api.1.0 was evicted on drain: node-1 is not draining.",
  ]);
});

const replicaAt = (tenant: string, index = 0) => aReplica({ tenant, spec: { index } });

/** The lender's replica waits for 100 of its own, all of which the borrower uses beside its own. */
function benchWithDebt(): CheckerHarness {
  const harness = new CheckerHarness(createEvidenceChecker());
  harness.commit({
    put: [
      aNode(),
      sharing("lender", 100, { group: "g" }),
      sharing("borrower", 100, { group: "g", shrink: "drain" }),
      replicaAt("lender"),
      ...[0, 1].map((index) => bound(replicaAt("borrower", index), "node-1", { stage: "serving" })),
    ],
  });
  return harness;
}

const takeFrom = (harness: CheckerHarness, victim: Replica, evidence: Evidence): void => {
  const stopping = { reason: "quota", sinceMs: 0 } as const;
  const put = [bound(victim, "node-1", { stage: "serving", stopping })];
  harness.commit({ command: "evict", role: "reclaim-quota", evidence, put });
};

test("quota taken back for one who is entitled to it is fine, more than that is reported [INV12]", () => {
  const evidence: Evidence = { kind: "quota-reclaim", waiting: replicaAt("lender").key };
  const harness = benchWithDebt();
  takeFrom(harness, replicaAt("borrower", 1), evidence);
  expect(harness.found).toEqual([]);
  takeFrom(harness, replicaAt("borrower", 0), evidence);
  expect(harness.found).toEqual([
    "INV12 Replica/borrower/api.1.0 was evicted on quota-reclaim: borrower does not use more than its own of anything that lender lacks.",
  ]);
});

test("quota taken back for one who does not wait, or is in another group, is reported [INV12]", () => {
  const idle = benchWithDebt();
  idle.commit({ put: [withStatus(replicaAt("lender"), { stage: "released" })] });
  const evidence: Evidence = { kind: "quota-reclaim", waiting: replicaAt("lender").key };
  takeFrom(idle, replicaAt("borrower", 1), evidence);
  expect(idle.found[0]).toMatch(/does not wait for quota of its own/);
  const stranger = benchWithDebt();
  stranger.commit({ put: [sharing("lender", 100, { group: "h" })] });
  takeFrom(stranger, replicaAt("borrower", 1), evidence);
  expect(stranger.found[0]).toMatch(/borrower is not in the group of lender/);
});

test("a shrunk quota is drained of what it does not cover, and of no more [INV12]", () => {
  const evidence: Evidence = { kind: "quota-shrunk", quota: sharing("borrower", 0).key };
  const harness = benchWithDebt();
  harness.commit({ put: [sharing("borrower", 150, { shrink: "drain" })] });
  takeFrom(harness, replicaAt("borrower", 1), evidence);
  expect(harness.found).toEqual([]);
  takeFrom(harness, replicaAt("borrower", 0), evidence);
  expect(harness.found[0]).toMatch(/Quota\/borrower\/default covers what it uses/);
  const kept = benchWithDebt();
  kept.commit({ put: [sharing("borrower", 50)] });
  takeFrom(kept, replicaAt("borrower", 1), evidence);
  expect(kept.found[0]).toMatch(/is not to be drained/);
});

test("a gang gives back what it holds in the queue, and nothing else does so in its name [INV12]", () => {
  const evidence: Evidence = { kind: "gang-deadline", workload: aWorkload().key };
  const given = (stage: "queued" | "serving", workload: Workload): readonly string[] => {
    const member = stage === "queued" ? withStatus(replica, { stage }) : serving;
    const harness = benchWith(workload, member);
    harness.commit({ command: "evict", role: "admit", evidence, put: [freed(member)] });
    return harness.found;
  };
  const gang = aWorkload({ spec: { gang: { deadlineMs: 1 } } });
  expect(given("queued", gang)).toEqual([]);
  expect(given("serving", gang)[0]).toMatch(/it is serving, and holds no place in the queue/);
  expect(given("queued", aWorkload())[0]).toMatch(/api is no gang/);
});
