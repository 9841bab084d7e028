import { describe, expect, test } from "vitest";
import { aGroup, cpu, type Group, keyFor } from "../../../test/builders/a-group.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { takeSnapshot } from "../commit/snapshot.ts";
import type { Decision } from "../protocol/decision.ts";
import { type ObjectKey, quotaKey } from "../model/ids.ts";
import type { View } from "../observe/view.ts";
import { evictOperation } from "../protocol/operations.ts";
import { createReclaimQuota } from "./reclaim-quota.ts";

const controller = createReclaimQuota();

const seenBy = (group: Group): View => aView(controller, takeSnapshot(group.ledger).objects);

const decide = (group: Group, tenant: string): Decision =>
  controller.reconcile(quotaKey(tenant), seenBy(group), aLook());

/** Whom the decision asks to go, in order. */
const victims = (decision: Decision): readonly ObjectKey[] =>
  decision.kind === "propose"
    ? decision.intents.flatMap((intent) => (intent.kind === "evict" ? [intent.replica] : []))
    : [];

/** The borrower uses all that the lender left. */
function lent(of: { readonly each?: number } = {}): Group {
  const group = aGroup({
    lender: { limit: 300, group: "retail", each: of.each ?? 100 },
    borrower: { limit: 100, group: "retail" },
  });
  for (const index of [0, 1, 2, 3]) {
    group.nowMs += 1_000;
    group.runs("borrower", index);
  }
  return group;
}

describe("a tenant that waits for quota of its own", () => {
  test("has the newest of the borrowers' replicas make way, and no more than it needs [QT8]", () => {
    const group = lent();
    const waiting = group.waits("lender");
    expect(decide(group, "borrower")).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "evict",
          operation: evictOperation(group.replicaAt("borrower", 3), "quota"),
          replica: keyFor("borrower", 3),
          incarnation: 1,
          evidence: { kind: "quota-reclaim", waiting: waiting.key },
        },
      ],
    });
    group.waits("lender", 1);
    expect(victims(decide(group, "borrower"))).toEqual([
      keyFor("borrower", 3),
      keyFor("borrower", 2),
    ]);
  });

  test("asks work of a lower class before newer work of a higher one [QT8]", () => {
    const group = lent();
    group.prioritise("low", -5);
    group.add("poor", { limit: 0, group: "retail", borrow: cpu(100) });
    group.setQuota("lender", { limit: cpu(400), group: "retail" });
    group.want("poor", {
      replicas: 2,
      cpuMillis: 100,
      memoryMiB: 0,
      priorityClass: "low",
      type: "batch",
    });
    group.nowMs += 1_000;
    group.enqueued("poor", 2);
    group.waits("lender");
    // Work without a class is below every class, so the newer one of a low class is spared.
    expect(victims(decide(group, "borrower"))).toEqual([keyFor("borrower", 3)]);
  });

  test("is settled when no replica waits, or there is quota for the waiting ones [QT8]", () => {
    const group = lent();
    expect(decide(group, "lender").kind).toBe("settled");
    group.waits("lender");
    group.setQuota("lender", { limit: cpu(400), group: "retail" });
    expect(decide(group, "borrower").kind).toBe("settled");
    expect(decide(group, "nobody").kind).toBe("settled");
  });

  test("is settled itself: what others have of it is asked for under their names alone [QT8] [INV17]", () => {
    const group = lent();
    group.add("other", { limit: 200, group: "retail" });
    group.add("late", { limit: 0, group: "retail" });
    for (const index of [0, 1]) {
      group.nowMs += 1_000;
      group.runs("late", index);
    }
    for (const tenant of ["lender", "other"]) group.waits(tenant);
    expect(decide(group, "lender").kind).toBe("settled");
    expect(decide(group, "other").kind).toBe("settled");
    expect(victims(decide(group, "late"))).toEqual([keyFor("late", 1), keyFor("late", 0)]);
    expect(decide(group, "borrower").kind).toBe("settled");
    group.waits("lender", 1);
    expect(victims(decide(group, "late"))).toEqual([keyFor("late", 1), keyFor("late", 0)]);
    expect(victims(decide(group, "borrower"))).toEqual([keyFor("borrower", 3)]);
  });

  test("does not ask again for what is on its way out [QT8]", () => {
    const group = lent();
    const { key } = group.waits("lender");
    group.evict("borrower", 3, { kind: "quota-reclaim", waiting: key });
    expect(decide(group, "borrower").kind).toBe("settled");
  });

  test("waits, with that reason, when those who have it are out of reach [RN6] [QT8]", () => {
    const group = lent();
    group.waits("lender");
    group.vouchedGone("a-1");
    expect(decide(group, "lender")).toMatchObject({
      kind: "wait",
      reason: "quota-lent",
      wakes: ["quota-group:retail", "quota:borrower", "quota:lender"],
    });
  });

  test("takes back a large debt in steps [QT8]", () => {
    const group = aGroup({
      lender: { limit: 1_600, group: "retail", each: 1_600 },
      borrower: { limit: 0, group: "retail", each: 50, desired: { replicas: 32 } },
    });
    for (let index = 0; index < 32; index += 1) group.runs("borrower", index);
    group.waits("lender");
    expect(victims(decide(group, "borrower"))).toHaveLength(16);
  });
});

const shrunk = (shrink: "wait" | "drain"): Group => {
  const group = aGroup({ one: { limit: 400 } });
  for (const index of [0, 1, 2, 3]) {
    group.nowMs += 1_000;
    group.runs("one", index);
  }
  group.setQuota("one", { limit: cpu(250), shrink });
  return group;
};

describe("a quota that was made smaller", () => {
  test("is drained of the newest when it says so [QT3]", () => {
    const decision = decide(shrunk("drain"), "one");
    expect(victims(decision)).toEqual([keyFor("one", 3), keyFor("one", 2)]);
    expect(decision).toMatchObject({
      intents: [{ evidence: { kind: "quota-shrunk", quota: quotaKey("one") } }, {}],
    });
  });

  test("is left to the end of its replicas when it says so or nothing [QT3]", () => {
    expect(decide(shrunk("wait"), "one").kind).toBe("settled");
  });
});

const concerned = (group: Group, key: ObjectKey) => {
  const after = group.get(key);
  return [...controller.keysFor({ key, before: undefined, after }, seenBy(group))].toSorted();
};

describe("which quotas a change concerns", () => {
  test("a replica concerns every tenant of its group that waits or could give quota back", () => {
    const group = lent();
    expect(concerned(group, keyFor("borrower", 0))).toEqual([]);
    group.waits("lender");
    expect(concerned(group, keyFor("borrower", 0))).toEqual([
      quotaKey("borrower"),
      quotaKey("lender"),
    ]);
  });

  test("a quota concerns itself, and every one is looked at again now and then", () => {
    const group = lent();
    expect(concerned(group, quotaKey("borrower"))).toEqual([quotaKey("borrower")]);
    expect([...controller.allKeys(seenBy(group))].toSorted()).toEqual([
      quotaKey("borrower"),
      quotaKey("lender"),
    ]);
  });
});
