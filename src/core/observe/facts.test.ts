import { describe, expect, test } from "vitest";
import { aLease } from "../../../test/builders/a-lease.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Fact } from "../decision.ts";
import { factsOf, NODES_FACT, objectFact, quotaFact } from "./facts.ts";

const facts = (before: AnyObject | undefined, after: AnyObject | undefined): readonly Fact[] =>
  factsOf({ key: (after ?? before)!.key, before, after });

const PAYMENTS = quotaFact("payments");

describe("a change makes facts true", () => {
  test("a reservation that ends frees quota, and one that begins does not [RN6]", () => {
    const reservation = aReservation(aReplica());
    expect(facts(reservation, undefined)).toContain(PAYMENTS);
    expect(facts(undefined, reservation)).not.toContain(PAYMENTS);
  });

  test("a changed quota may be a larger one [RN6]", () => {
    expect(facts(aQuota(), aQuota({ cpuMillis: 9 }))).toContain(PAYMENTS);
  });

  test("a node that joins or changes may take more than before [RN6]", () => {
    expect(facts(undefined, aNode())).toContain(NODES_FACT);
    expect(facts(aNode({ draining: true }), aNode())).toContain(NODES_FACT);
  });

  test("a replica that leaves its node frees room and quota [RN6]", () => {
    const bound = aReplica({ stage: "serving", node: "a-1" });
    for (const after of [aReplica({ stage: "released" }), undefined]) {
      expect(facts(bound, after)).toEqual([objectFact(bound.key), NODES_FACT, PAYMENTS]);
    }
  });

  test("a replica that stays where it is frees nothing [RN6]", () => {
    const bound = aReplica({ stage: "starting", node: "a-1" });
    const serving = aReplica({ stage: "serving", node: "a-1" });
    expect(facts(bound, serving)).toEqual([objectFact(bound.key)]);
  });

  test("every change of an object is a fact about it [RN6]", () => {
    expect(facts(aLease(), aLease("a-1", { seq: 2 }))).toEqual([objectFact(aLease().key)]);
  });
});
