import { describe, expect, test } from "vitest";
import { putting } from "../../../../test/builders/a-plane.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { alike, RegionalPair, TERM_MS } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { type ObjectKey, quotaKey, regionKey, tenantKey } from "../../model/ids.ts";
import type { RegionTerms } from "../../protocol/region-exchange.ts";

/** The region has the term, and 500 are lent that it has not heard of. */
function aPairWithNews(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange();
  pair.lend(500);
  pair.hear();
  return pair;
}

describe("terms", () => {
  const cases: readonly (readonly [string, Partial<RegionTerms>, string])[] = [
    ["for another region", { region: "east" }, "terms-not-for"],
    ["for another incarnation", { incarnation: 2 }, "terms-not-for"],
    ["of a global plane that was replaced", { global: 0 }, "lender-passed"],
    ["for a question of another leadership", { asked: { epoch: 9, ms: 0 } }, "terms-passed"],
    ["for a question to come", { asked: { epoch: 1, ms: 1 } }, "bad-object"],
    ["longer than any term", { termMs: 86_400_001 }, "bad-object"],
    ["as they are", {}, "committed"],
  ];
  test.each(cases)("%s, %j: %s [RG10][RG9]", (_, of, code) => {
    const pair = aPairWithNews();
    expect(codeOf(pair.take({ ...pair.terms(), ...of }))).toBe(code);
    expect(pair.limit()).toEqual(code === "committed" ? alike(500) : undefined);
  });

  test("count from when the region asked, and none makes its term shorter [RG10]", () => {
    const pair = aPairWithNews();
    const early = pair.terms();
    pair.pass(5_000);
    const report = pair.report();
    pair.hear(report);
    expect(codeOf(pair.take(pair.terms(report)))).toBe("committed");
    expect(codeOf(pair.take(early))).toBe("committed");
    expect(pair.plane.term).toEqual({ askedMs: 5_000, untilMs: 5_000 + TERM_MS, epoch: 1 });
  });

  test("that are late by a whole term bring no rights [RG10]", () => {
    const pair = aPairWithNews();
    const late = pair.terms();
    pair.pass(TERM_MS);
    expect(codeOf(pair.take(late))).toBe("terms-passed");
    expect(pair.limit()).toBeUndefined();
  });

  test("bring each version once, and never an older one [RG10]", () => {
    const pair = aPairWithNews();
    const early = pair.terms();
    pair.lend(200);
    const late = pair.terms();
    expect(codeOf(pair.take(late))).toBe("committed");
    expect(codeOf(pair.take(early))).toBe("committed");
    expect(pair.limit()).toEqual(alike(200));
    expect(pair.report().grants).toMatchObject([{ version: 2, held: alike(200) }]);
  });

  test("make a learning region the global plane's, and give it nothing to spend [RG10]", () => {
    const pair = aPairWithNews();
    pair.take();
    pair.spend([0]);
    pair.incarnateWest(2);
    pair.hear();
    const { incarnation } = pair.plane;
    const grants = [{ tenant: "payments", version: 9, amounts: alike(900), quota: {} }];
    expect(codeOf(pair.take({ ...pair.terms(), incarnation, grants }))).toBe("committed");
    expect(pair.plane.term).toBeUndefined();
    expect(pair.limit()).toEqual(alike(100));
  });
});

describe("copies of the global plane's objects", () => {
  const sale = "PriorityClass//sale" as ObjectKey;
  const puttingSale = (value: number) => putting(sale, { kind: "PriorityClass", spec: { value } });

  test("come with the terms, change with them and go with them [RG2][RG10]", () => {
    const pair = new RegionalPair();
    pair.global.must(puttingSale(7));
    pair.exchange();
    expect(pair.west.get(tenantKey("payments"))?.spec).toEqual({ displayName: "payments" });
    expect(pair.west.get(regionKey("west"))?.spec).toMatchObject({ plane: { termMs: TERM_MS } });
    expect(pair.west.get(sale)).toMatchObject({ spec: { value: 7 }, meta: { generation: 1 } });
    pair.global.must(puttingSale(8));
    pair.exchange();
    expect(pair.west.get(sale)).toMatchObject({ spec: { value: 8 }, meta: { generation: 2 } });
    pair.global.must({ kind: "delete", key: sale, expect: {} });
    pair.exchange(4);
    expect(pair.west.get(sale)).toBeUndefined();
    expect(pair.west.get(tenantKey("payments"))).toBeDefined();
  });

  test("never go back with a late answer [RG10]", () => {
    const pair = new RegionalPair();
    pair.global.must(puttingSale(7));
    pair.exchange(1);
    const report = pair.report();
    pair.global.must(puttingSale(8));
    pair.hear(report);
    const late = pair.terms(report);
    pair.global.must(puttingSale(9));
    pair.exchange();
    expect(codeOf(pair.take(late))).toBe("committed");
    expect(pair.west.get(sale)).toMatchObject({ spec: { value: 9 } });
  });

  test("of a quota leave its limit, which is what was lent [RG10]", () => {
    const pair = aPairWithNews();
    pair.exchange();
    const spec = { ...aQuota().spec, weight: 3, shrink: "drain" } as const;
    pair.global.must(putting(quotaKey("payments"), { kind: "Quota", spec }));
    pair.exchange();
    expect(pair.west.get(quotaKey("payments"))?.spec).toEqual({
      limit: alike(500),
      weight: 3,
      shrink: "drain",
    });
  });

  test("are of few kinds: nothing else is written by terms [RG10]", () => {
    const pair = aPairWithNews();
    const key = regionKey("east");
    const object = { key, desired: { kind: "Region", spec: { zones: [] } }, labels: {} } as const;
    expect(codeOf(pair.take({ ...pair.terms(), objects: [object] }))).toBe("bad-object");
  });

  test("of a tenant that is deleted wait until the region has emptied it [RG10]", () => {
    const pair = aPairWithNews();
    pair.exchange();
    pair.spend([0]);
    pair.global.must({ kind: "delete", key: tenantKey("payments"), expect: {} });
    pair.exchange(4);
    expect(pair.west.get(tenantKey("payments"))?.meta.deletingMs).toBe(0);
  });
});
