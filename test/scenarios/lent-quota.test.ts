/** Quota that one tenant lends another: it comes back when its owner wants it, and nobody gives more than that. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "lent-quota-comes-back";

function bankGetsItsOwn(told: Told): void {
  const replicas = told.replicasAtEnd().map((text) => text.split(" on ")[0]);
  expect(replicas).toEqual([
    "front.1.0 incarnation 1 serving",
    "front.1.1 incarnation 1 serving",
    "front.1.2 incarnation 1 serving",
    "front.1.3 incarnation 2 admitted",
    "front.1.4 incarnation 2 admitted",
    "ledger.1.0 incarnation 1 serving",
    "ledger.1.1 incarnation 1 serving",
    "ledger.1.2 incarnation 1 serving",
  ]);
}

describe("quota that was lent", () => {
  it("scenario: reclaim dies after asking, the news is lost: the lender gets its own, from the newest, and no more [QT8] [LIV10]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    bankGetsItsOwn(told);
    const [lent] = told.waits("admit", "Workload/bank/ledger", "quota-lent");
    expect(lent?.because.summary).toMatch(/^tenants of group retail borrow quota that tenant bank/);
    expect(lent?.wakes).toContain("quota:shop");
    // The borrower waits for what it may have again, and was not counted as failed.
    const [waits] = told.waits("admit", "Workload/shop/front", "quota-exhausted").slice(-1);
    expect(waits?.because.summary).toMatch(/^group retail has no quota to lend to tenant shop/);
  });

  it("power: without a controller that takes it back, the lender waits for ever", async () => {
    const defect = "lent-quota-stays-lent";
    const { withFaults } = await power({ defect, scenario, prove: bankGetsItsOwn });
    expect(withFaults).toMatch(/^LIV10: Replica\/bank\/ledger/);
  });
});

const OWED = ["cafe/till.1.2", "shop/front.1.1", "shop/front.1.2"];

function eachIsAskedOnce(told: Told): void {
  const sent = told
    .lines("reclaim-quota", /^evict\/.* sent to plane-1/)
    .flatMap(({ text }) => /^evict\/Replica\/([^/]+\/[^/]+)\//.exec(text)?.[1] ?? []);
  expect(sent.toSorted()).toEqual(OWED);
  const replicas = told.replicasAtEnd().map((text) => text.split(" on ")[0]);
  expect(replicas).toEqual([
    "front.1.0 incarnation 1 serving",
    "front.1.1 incarnation 2 admitted",
    "front.1.2 incarnation 2 admitted",
    "ledger.1.0 incarnation 1 serving",
    "ledger.1.1 incarnation 1 serving",
    "ledger.1.2 incarnation 1 serving",
    "till.1.0 incarnation 1 serving",
    "till.1.1 incarnation 1 serving",
    "till.1.2 incarnation 2 admitted",
  ]);
}

describe("quota that was lent to two", () => {
  const two = "lent-quota-comes-back-from-two";

  it("scenario: two borrowers give back, and one answer is lost: each is asked for its own, and once [QT8] [RN2] [INV17]", () => {
    const told = tell(two);
    expect(told.surprises).toEqual([]);
    eachIsAskedOnce(told);
    const asked = told.lines("reclaim-quota", /^Quota\/(cafe|shop)\/default: proposes evict\//);
    expect(asked.map(({ text }) => text.split(":")[0])).toEqual([
      "Quota/cafe/default",
      "Quota/shop/default",
    ]);
  });

  it("power: borrowers that each ask for all of it send every eviction twice", async () => {
    const defect = "everybody-asks-for-the-same";
    const { withFaults } = await power({ defect, scenario: two, prove: eachIsAskedOnce });
    expect(withFaults).toMatch(/^INV17: reclaim-quota sent evict\/Replica\/shop\/front.* again/);
  });
});
