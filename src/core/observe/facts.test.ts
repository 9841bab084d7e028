import { describe, expect, test } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import type { AffinityTerm, AnyObject, Replica } from "../model/objects.ts";
import type { Fact } from "../protocol/decision.ts";
import {
  claimFact,
  companyFacts,
  factsOf,
  groupFact,
  NODES_FACT,
  objectFact,
  quotaFact,
  roomFact,
} from "./facts.ts";

const facts = (before: AnyObject | undefined, after: AnyObject | undefined): readonly Fact[] =>
  factsOf({ key: (after ?? before)!.key, before, after });

const PAYMENTS = quotaFact("payments");

const labelled = (of: Parameters<typeof aReplica>[0]): Replica => {
  const made = aReplica(of);
  return { ...made, meta: { ...made.meta, labels: { app: "web", tier: "front" } } };
};

/** What wakes a replica that must be near those the term names. */
const seeking = (term: AffinityTerm): readonly Fact[] => {
  const affinity = { required: [term], preferred: [], antiRequired: [], antiPreferred: [] };
  return companyFacts(aReplica({ tenant: "payments", affinity }));
};

const aQuotaIn = (group: string): AnyObject => {
  const quota = aQuota();
  return { ...quota, spec: { ...quota.spec, group } };
};

describe("a change makes facts true", () => {
  test("a reservation that ends frees quota, and one that begins does not [RN6]", () => {
    const reservation = aReservation(aReplica());
    expect(facts(reservation, undefined)).toContain(PAYMENTS);
    expect(facts(undefined, reservation)).not.toContain(PAYMENTS);
  });

  test("a changed quota may be a larger one [RN6]", () => {
    expect(facts(aQuota(), aQuota({ cpuMillis: 9 }))).toContain(PAYMENTS);
  });

  test("a quota that joins, changes or leaves a group concerns every tenant in it [RN6] [QT5]", () => {
    expect(facts(aQuotaIn("retail"), aQuotaIn("bank"))).toEqual(
      expect.arrayContaining([groupFact("retail"), groupFact("bank")]),
    );
  });

  test("a replica that stops waiting for quota may leave some to those who borrow [RN6] [QT5]", () => {
    const claim = claimFact("payments");
    const waiting = aReplica({ stage: "admitted" });
    for (const after of [
      aReplica({ stage: "queued" }),
      aReplica({ stage: "released" }),
      undefined,
    ]) {
      expect(facts(waiting, after)).toContain(claim);
    }
    expect(facts(undefined, aReservation(aReplica()))).toContain(claim);
    // Others of its tenant may have no claim any more to what it took, however it came to the
    // queue.
    expect(facts(undefined, aReplica({ stage: "queued" }))).toContain(claim);
    expect(facts(aReplica({ stage: "failed" }), aReplica({ stage: "queued" }))).toContain(claim);
    expect(facts(aReplica({ stage: "released" }), waiting)).not.toContain(claim);
  });

  test("a node that joins or changes may take more than before [RN6]", () => {
    expect(facts(undefined, aNode())).toContain(NODES_FACT);
    expect(facts(aNode({ draining: true }), aNode())).toContain(NODES_FACT);
  });

  test("a replica that leaves its node frees room and quota [RN6]", () => {
    const bound = aReplica({ stage: "serving", node: "a-1" });
    for (const after of [aReplica({ stage: "released" }), undefined]) {
      expect(facts(bound, after)).toEqual([
        objectFact(bound.key),
        NODES_FACT,
        PAYMENTS,
        roomFact("a-1"),
      ]);
    }
  });

  test("released room is free for all replicas, and quota was never in it [RN6]", () => {
    const room = { node: "a-1", deviceIds: [], epoch: 1 };
    const held = aReservation(aReplica(), { for: "preemptor", room });
    expect(facts(held, undefined)).toEqual(expect.arrayContaining([NODES_FACT, roomFact("a-1")]));
    expect(facts(held, undefined)).not.toContain(PAYMENTS);
    expect(facts(undefined, held)).not.toContain(NODES_FACT);
  });

  test("a replica that stays where it is frees nothing [RN6]", () => {
    const bound = aReplica({ stage: "starting", node: "a-1" });
    const serving = aReplica({ stage: "serving", node: "a-1" });
    expect(facts(bound, serving)).toEqual([objectFact(bound.key)]);
  });

  test("a replica that takes a node may be the company that another waits for [RN6] [PR2]", () => {
    const arrived = facts(labelled({ stage: "queued" }), labelled({ stage: "bound", node: "a-1" }));
    const wakes = (term: AffinityTerm): boolean =>
      seeking(term).some((fact) => arrived.includes(fact));
    expect(wakes({ by: "zone", labels: { tier: "front" } })).toBe(true);
    expect(wakes({ by: "zone", labels: {} })).toBe(true);
    expect(wakes({ by: "zone", labels: { tier: "back" } })).toBe(false);
    expect(wakes({ by: "zone", labels: { tier: "front" }, tenants: ["web"] })).toBe(false);
    expect(wakes({ by: "zone", labels: {}, tenants: ["web", "payments"] })).toBe(true);
  });

  test("every change of an object is a fact about it [RN6]", () => {
    expect(facts(aLease(), aLease("a-1", { seq: 2 }))).toEqual([objectFact(aLease().key)]);
  });
});
