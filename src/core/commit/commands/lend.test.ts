import { describe, expect, test } from "vitest";
import { putting } from "../../../../test/builders/a-plane.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { alike, RegionalPair } from "../../../../test/builders/a-regional-pair.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { quotaKey, regionKey, tenantKey, workloadKey } from "../../model/ids.ts";

function aKnownPair(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange();
  return pair;
}

const limited = (limit: number, regions = {}) =>
  putting(quotaKey("payments"), {
    kind: "Quota",
    spec: { ...aQuota().spec, limit: alike(limit), regions },
  });

describe("lending", () => {
  test("goes to a region that has said all it holds, in its present incarnation [RG8]", () => {
    const pair = new RegionalPair();
    expect(codeOf(pair.lend(100))).toBe("region-learning");
    pair.exchange();
    expect(codeOf(pair.lend(100, { incarnation: 2 }))).toBe("region-superseded");
    pair.incarnateWest(2);
    pair.hear();
    expect(codeOf(pair.lend(100))).toBe("region-learning");
  });

  test("is by the next version, and by few that are not reported [RG7]", () => {
    const pair = aKnownPair();
    expect(codeOf(pair.lend(100, { version: 2 }))).toBe("grant-passed");
    for (let version = 1; version <= 8; version += 1) {
      expect(codeOf(pair.lend(version, { version }))).toBe("committed");
      expect(codeOf(pair.lend(version, { version }))).toMatch(/grant-(passed|pending)/);
    }
    expect(codeOf(pair.lend(9))).toBe("grant-pending");
    pair.exchange();
    expect(codeOf(pair.lend(9))).toBe("committed");
  });

  test("takes its growth from the quota before the region hears of it [RG7]", () => {
    const pair = aKnownPair();
    expect(codeOf(pair.lend(1_001))).toBe("quota-exceeded");
    expect(codeOf(pair.lend(600))).toBe("committed");
    expect(pair.committed()).toEqual(alike(600));
    // Less is no growth, and frees nothing yet.
    expect(codeOf(pair.lend(100))).toBe("committed");
    expect(pair.committed()).toEqual(alike(600));
    pair.global.must(limited(500));
    expect(codeOf(pair.lend(500))).toBe("committed");
    expect(codeOf(pair.lend(601))).toBe("quota-exceeded");
  });

  test("keeps to the bound of the region, and gives a tenant that goes nothing more [RG7]", () => {
    const pair = aKnownPair();
    pair.global.must(limited(1_000, { west: alike(300) }));
    expect(codeOf(pair.lend(301))).toBe("quota-exceeded");
    expect(codeOf(pair.lend(300))).toBe("committed");
    pair.global.must(limited(1_000));
    pair.global.must({ kind: "delete", key: tenantKey("payments"), expect: {} });
    expect(codeOf(pair.lend(301))).toBe("being-deleted");
    expect(codeOf(pair.lend(0))).toBe("committed");
  });

  test("is no business of a person, and of whole amounts [RG7]", () => {
    const pair = aKnownPair();
    const to = { tenant: "payments", region: "west", incarnation: 1, version: 1 };
    const lend = { kind: "lend", ...to, amounts: alike(1) } as const;
    expect(codeOf(pair.global.send(lend, { role: "user" }))).toBe("not-owner");
    expect(codeOf(pair.lend(-1))).toBe("bad-object");
  });

  test("waits for every region after a restore, and so does the plane's own work [RG9]", () => {
    const pair = aKnownPair();
    pair.lend(100);
    pair.exchange();
    pair.global.must({ kind: "incarnate", plane: { role: "global" }, incarnation: 2 });
    pair.hear();
    expect(codeOf(pair.lend(200))).toBe("lender-learning");
    const workload = workloadKey("payments", "own");
    pair.global.must(putting(workload, { kind: "Workload", spec: aWorkloadSpec() }));
    const indexes = [{ index: 0, incarnation: 1 }];
    const enqueue = { kind: "enqueue", workload, generation: 1, indexes } as const;
    expect(codeOf(pair.global.send(enqueue))).toBe("lender-learning");
    pair.exchange();
    expect(codeOf(pair.lend(200))).toBe("committed");
    expect(codeOf(pair.global.send(enqueue))).toBe("committed");
  });

  test("waits for a restored region until it has stated what it holds [RG9][RG13]", () => {
    const pair = aKnownPair();
    pair.lend(100);
    pair.exchange();
    pair.spend([0]);
    pair.global.must({ kind: "incarnate", plane: { role: "global" }, incarnation: 2 });
    pair.incarnateWest(2);
    pair.exchange();
    // It obeys this plane, and does not know yet what it runs.
    expect(pair.heard()).toMatchObject({ confirmed: 2, learning: true });
    pair.planned("east");
    const demand = { charged: alike(0), waiting: alike(0), largest: alike(0), smallest: alike(0) };
    const grants = [{ tenant: "payments", version: 0, held: alike(0), demand }];
    const report = { ...pair.report(), region: "east", learning: false, global: 2, grants };
    expect(codeOf(pair.hear(report))).toBe("committed");
    const to = { tenant: "payments", region: "east", incarnation: 2, version: 1 };
    const lend = { kind: "lend", ...to, amounts: alike(900) } as const;
    expect(pair.global.send(lend)).toMatchObject({
      code: "lender-learning",
      field: "Region//west",
    });
  });

  test("waits for a region that the backup has not heard yet, unless it is new [RG9]", () => {
    const pair = new RegionalPair();
    pair.planned("east");
    pair.global.must({ kind: "incarnate", plane: { role: "global" }, incarnation: 2 });
    pair.planned("north");
    pair.exchange();
    expect(pair.lend(100)).toMatchObject({ code: "lender-learning", field: "Region//east" });
    pair.global.must({ kind: "delete", key: regionKey("east"), expect: {} });
    expect(codeOf(pair.lend(100))).toBe("committed");
  });

  test("is not held up by a region that obeyed no plane yet [RG9]", () => {
    const pair = aKnownPair();
    pair.planned("east");
    const report = { ...pair.report(), region: "east", global: undefined, grants: [] };
    const { global: _, ...fresh } = report;
    expect(codeOf(pair.hear(fresh))).toBe("committed");
    expect(codeOf(pair.lend(100))).toBe("committed");
    const to = { tenant: "payments", region: "east", incarnation: 1, version: 1 };
    expect(codeOf(pair.global.send({ kind: "lend", ...to, amounts: alike(1) }))).toBe(
      "lender-learning",
    );
    expect(pair.global.get(regionKey("east"))).toMatchObject({
      status: { heard: { settledBy: 1 } },
    });
  });
});
