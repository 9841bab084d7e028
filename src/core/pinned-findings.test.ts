import { expect, test } from "vitest";
import {
  aPlane,
  putting,
  reservationKey,
  indexKey,
  WORKLOAD,
} from "../../test/builders/a-plane.ts";
import { aReplica } from "../../test/builders/a-replica.ts";
import { anAgent, onNode, AgentHarness } from "../../test/builders/an-agent.ts";
import { codeOf } from "../../test/builders/code-of.ts";
import { ObjectIndex } from "./observe/object-index.ts";
import type { Uid } from "./model/ids.ts";
import { nodeKey, quotaKey } from "./model/ids.ts";
import { aQuota } from "../../test/builders/a-quota.ts";

test("a report of a session that has ended is refused, also for a replica bound in it [LS1]", () => {
  const plane = aPlane();
  plane.serving();
  plane.renew({ session: 2, seq: 1 });
  const outcome = plane.send({
    kind: "report",
    replica: indexKey(),
    incarnation: 1,
    node: "a-1",
    session: 1,
    stage: "ready",
  });
  expect(codeOf(outcome)).toBe("session-ended");
});

test("a namesake on the same node in the same incarnation is charged for what it asks [BD4]", () => {
  const index = new ObjectIndex();
  const old = aReplica({ stage: "bound", node: "a-1", cpuMillis: 100 });
  const next = aReplica({ stage: "bound", node: "a-1", cpuMillis: 900, uid: "u2" as Uid });
  index.fold({ key: old.key, before: undefined, after: old });
  index.fold({ key: next.key, before: undefined, after: next });
  expect(index.useOf("a-1").cpuMillis).toBe(900);
});

test("a reservation is not released on evidence that names another owner [EV2]", () => {
  const plane = aPlane();
  plane.reserved();
  plane.putDesired({ replicas: 0 });
  plane.must({
    kind: "evict",
    replica: indexKey(),
    incarnation: 1,
    evidence: { kind: "surplus", workload: WORKLOAD },
  });
  expect(
    codeOf(
      plane.send({
        kind: "unreserve",
        key: reservationKey(indexKey()),
        incarnation: 1,
        evidence: { kind: "owner-gone", owner: indexKey(9) },
      }),
    ),
  ).toBe("evidence-wrong");
});

test("a node is not moved on evidence that names another node [EV2]", () => {
  const plane = aPlane();
  expect(
    codeOf(
      plane.send({
        kind: "transition",
        key: nodeKey("a-1"),
        session: 1,
        from: "ready",
        to: "suspect",
        evidence: { kind: "lease-expired", node: "zz", session: 1, seq: 1 },
      }),
    ),
  ).toBe("evidence-wrong");
});

test("a higher epoch is remembered before anything is said under it [AG3]", () => {
  const b = new AgentHarness()
    .adopted()
    .renewed()
    .give({ kind: "started" })
    .listed([onNode()], 10, 7);
  const kinds = b.last
    .filter((e) => e.kind === "remember" || e.kind === "request")
    .map((e) => e.kind);
  expect(kinds[0]).toBe("remember");
});

test("quota is asserted to be conserved at a quota commit, too [QT2]", () => {
  const plane = aPlane();
  plane.ledger.objects.accountOf("payments").free.cpuMillis += 1;
  expect(() =>
    plane.send(
      putting(quotaKey("payments"), { kind: "Quota", spec: aQuota({ cpuMillis: 5000 }).spec }),
    ),
  ).toThrow("is not conserved");
});

test("an index that is no whole number of 0 or more is not admitted [BD2]", () => {
  const plane = aPlane();
  expect(
    codeOf(
      plane.send({ kind: "admit", workload: WORKLOAD, generation: 1, index: -1, incarnation: 1 }),
    ),
  ).toBe("index-not-wanted");
  expect(
    codeOf(
      plane.send({ kind: "admit", workload: WORKLOAD, generation: 1, index: 0.5, incarnation: 1 }),
    ),
  ).toBe("index-not-wanted");
});

test("a replica that was asked to stop cannot begin, also when its node was lost [ST2]", () => {
  const plane = aPlane();
  plane.bound();
  plane.putDesired({ replicas: 0 });
  plane.must({
    kind: "evict",
    replica: indexKey(),
    incarnation: 1,
    evidence: { kind: "surplus", workload: WORKLOAD },
  });
  plane.must({
    kind: "transition",
    key: nodeKey("a-1"),
    session: 1,
    from: "ready",
    to: "unknown",
    evidence: { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
  });
  expect(
    codeOf(
      plane.send({
        kind: "report",
        replica: indexKey(),
        incarnation: 1,
        node: "a-1",
        session: 1,
        stage: "starting",
      }),
    ),
  ).toBe("wrong-stage");
});

test("an agent does not start what was asked to stop meanwhile [AG1]", () => {
  const harness = anAgent([onNode()])
    .reportLanded(12)
    .saw(onNode({ stage: "starting", stopping: { reason: "surplus", sinceMs: 0 } }), 13);
  expect(harness.all("start-process")).toEqual([]);
});

test("a replica lost from sight without a process is given back, not begun again in the same incarnation", () => {
  // served, went unknown, agent restarted and process is gone
  const harness = anAgent([onNode({ stage: "unknown" })]);
  expect(harness.reports).not.toEqual(["starting"]);
});
