import { describe, expect, test } from "vitest";
import { aGroup, cpu, type Group } from "../../../test/builders/a-group.ts";
import { putting } from "../../../test/builders/a-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { takeSnapshot } from "../commit/snapshot.ts";
import type { Decision } from "../protocol/decision.ts";
import { tenantKey, workloadKey } from "../model/ids.ts";
import { factsOf } from "../observe/facts.ts";
import { createAdmit } from "./admit.ts";

const controller = createAdmit();

function decide(group: Group, tenant: string): Decision {
  const view = aView(controller, takeSnapshot(group.ledger).objects);
  return controller.reconcile(workloadKey(tenant, "api"), view, aLook());
}

/** All indexes of the workload are there, and the last of them waits. */
function waiting(group: Group, tenant: string, index: number, each: number): Decision {
  group.want(tenant, { replicas: index + 1, cpuMillis: each, memoryMiB: 0 });
  group.waits(tenant, index);
  return decide(group, tenant);
}

describe("a wait for quota", () => {
  test("names the tenant's own limit and what is left of it [QT1]", () => {
    const group = aGroup({ one: { limit: 150 } });
    group.runs("one", 0);
    expect(waiting(group, "one", 1, 100)).toMatchObject({
      reason: "quota-exhausted",
      wakes: ["quota:one"],
      because: {
        summary: "the quota of tenant one is not enough: 50m of CPU left, 100m of CPU needed",
      },
    });
  });

  test("says that a tenant has none, and how to create one for its workload [QT10]", () => {
    const group = aGroup({ one: { limit: 150 } });
    group.must(putting(tenantKey("two"), { kind: "Tenant", spec: { displayName: "Two" } }));
    group.want("two", { replicas: 2, cpuMillis: 100, memoryMiB: 5 });
    group.waits("two", 0);
    group.waits("two", 1);
    const decision = decide(group, "two");
    const manifest = `{"apiVersion":"berth.dev/v1","kind":"Quota","metadata":{"name":"default","namespace":"two"},"spec":{"limit":{"cpu":"200m","memory":"10Mi"}}}`;
    expect(decision).toMatchObject({
      reason: "quota-exhausted",
      wakes: ["quota:two"],
      because: {
        summary: `tenant two has no quota, so its replicas are not queued; create one: echo '${manifest}' | berth apply -f -`,
      },
    });
  });

  test("names what all members of a gang need together, and that it can never have it [GA2] [QT10]", () => {
    const group = aGroup({ one: { limit: 1000 } });
    group.want("one", {
      replicas: 20,
      cpuMillis: 100,
      memoryMiB: 0,
      gang: { deadlineMs: 60_000 },
    });
    for (let index = 0; index < 20; index += 1) group.waits("one", index);
    expect(decide(group, "one")).toMatchObject({
      because: {
        summary:
          "the quota of tenant one is too small: 1000m of CPU in all, 2000m of CPU needed by 20 members at once; raise it",
      },
    });
  });

  test("says that others have what is the tenant's own, and that it comes back [QT8]", () => {
    const group = aGroup({
      lender: { limit: 200, group: "retail", each: 200 },
      borrower: { limit: 100, group: "retail" },
    });
    for (const index of [0, 1, 2]) group.runs("borrower", index);
    expect(waiting(group, "lender", 0, 200)).toMatchObject({
      reason: "quota-lent",
      wakes: ["quota-group:retail", "quota:borrower", "quota:lender", "quota-claim:borrower"],
      because: {
        summary:
          "tenants of group retail borrow quota that tenant lender is entitled to; it is being reclaimed: 0m of CPU left, 200m of CPU needed",
      },
    });
  });

  test("says that the group has nothing to lend [QT5]", () => {
    const group = aGroup({
      lender: { limit: 200, group: "retail", each: 200 },
      borrower: { limit: 100, group: "retail" },
    });
    group.runs("lender");
    group.runs("borrower", 0);
    const decision = waiting(group, "borrower", 1, 100);
    expect(decision).toMatchObject({ reason: "quota-exhausted" });
    expect(decision.kind === "wait" && decision.because.summary).toMatch(
      /^group retail has no quota to lend to tenant borrower/,
    );
  });

  test("names the class whose quota is too small [QT6]", () => {
    const group = aGroup({ one: { limit: 900, classes: { low: cpu(50) } } });
    group.prioritise("low", 1);
    group.want("one", {
      replicas: 1,
      cpuMillis: 100,
      memoryMiB: 0,
      priorityClass: "low",
      type: "batch",
    });
    const workload = workloadKey("one", "api");
    group.must({ kind: "admit", workload, generation: 2, index: 0, incarnation: 1 });
    const decision = decide(group, "one");
    expect(decision.kind === "wait" && decision.because.summary).toMatch(
      /^the quota of tenant one for class low is too small: 50m of CPU in all/,
    );
  });

  test("is ended by whatever may end it: others' ends, their waits' ends, and the group's tenants [RN6] [QT5]", () => {
    const group = aGroup({
      lender: { limit: 300, group: "retail" },
      borrower: { limit: 100, group: "retail" },
    });
    for (const index of [0, 1, 2, 3]) group.runs("borrower", index);
    const decision = waiting(group, "borrower", 4, 100);
    const wakes = decision.kind === "wait" ? decision.wakes : [];
    const isWokenBy = () =>
      group.lastCommit.changes.some((change) =>
        factsOf(change).some((fact) => wakes.includes(fact)),
      );
    group.waits("lender");
    expect(isWokenBy()).toBe(false);
    group.endWaiting("lender");
    expect(isWokenBy()).toBe(true);
    group.setQuota("lender", { limit: cpu(400), group: "retail" });
    expect(isWokenBy()).toBe(true);
    group.add("third", { limit: 100, group: "retail" });
    group.setQuota("third", { limit: cpu(200), group: "retail" });
    expect(isWokenBy()).toBe(true);
  });
});
