/** A tenant on its way out: everything it owns goes first, nothing of others does. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "tenant-goes-with-all-it-owns";

function everythingOfShopGoes(told: Told): void {
  const left = [...told.atEnd().keys()];
  expect(left.filter((key) => /\/shop(\/|$)/.test(key))).toEqual([]);
  expect(left).toContain("Tenant//bank");
  expect(left).toContain("Quota/bank/default");
  const replicas = told.replicasAtEnd().map((text) => text.split(" on ")[0]);
  expect(replicas).toEqual([
    "ledger.1.0 incarnation 1 serving",
    "ledger.1.1 incarnation 1 serving",
  ]);
}

describe("a tenant that is deleted while its workloads run", () => {
  it("scenario: news missed, controller dies after its first write: all the tenant owns goes, and nothing else [OB8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    everythingOfShopGoes(told);
    // Nothing new came into it, and it went after all it owned.
    expect(told.made("Workload")).not.toContain("Workload/shop/late");
    const gone = (key: string): number =>
      told
        .committed(/./)
        .findIndex(({ changes }) =>
          changes.some((change) => change.key === key && change.after === undefined),
        );
    const [front, back] = [gone("Workload/shop/front"), gone("Workload/shop/back")];
    const [quota, tenant] = [gone("Quota/shop/default"), gone("Tenant//shop")];
    expect(Math.min(front, back)).toBeGreaterThan(0);
    expect(quota).toBeGreaterThan(Math.max(front, back));
    expect(tenant).toBeGreaterThan(quota);
  });

  it("power: a quota that is left to people keeps its tenant for ever", async () => {
    const defect = "deleted-tenant-keeps-its-quota";
    const { withFaults } = await power({ defect, scenario, prove: everythingOfShopGoes });
    expect(withFaults).toMatch(/^LIV4: Tenant\/\/shop is being deleted/);
  });
});

function onlyTheUnusedGoes(told: Told): void {
  const left = [...told.atEnd().keys()];
  expect(left).not.toContain("Quota/shop/default");
  expect(left).toContain("Quota/bank/default");
}

describe("a quota that is deleted before its workload", () => {
  const quotaFirst = "quota-goes-after-its-workloads";
  it("scenario: news missed: it goes after the workload, and another stays while it is used [QT4]", () => {
    const told = tell(quotaFirst);
    expect(told.surprises).toEqual([]);
    onlyTheUnusedGoes(told);
    expect(told.replicasAtEnd().map((text) => text.split(" on ")[0])).toEqual([
      "ledger.1.0 incarnation 1 serving",
    ]);
  });

  it("power: a quota that no controller lets go stays for ever", async () => {
    const { withFaults } = await power({
      defect: "deleted-quota-stays",
      scenario: quotaFirst,
      prove: onlyTheUnusedGoes,
    });
    expect(withFaults).toMatch(/^LIV4: Quota\/shop\/default is being deleted/);
  });
});
