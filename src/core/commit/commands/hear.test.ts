import { describe, expect, test } from "vitest";
import { alike, RegionalPair, TERM_MS } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { termAsCounted } from "../../model/regional/region-plane.ts";
import type { RegionReport } from "../../protocol/region-exchange.ts";

/** `payments` was lent 500 in `west`, and both know it. */
function aLentPair(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange();
  pair.lend(500);
  pair.exchange();
  return pair;
}

describe("a report", () => {
  const cases: readonly (readonly [string, Partial<RegionReport>, string])[] = [
    ["of another region", { region: "east" }, "no-such-object"],
    ["of an incarnation that was superseded", { incarnation: 0 }, "bad-object"],
    ["of an earlier position", { revision: 2 }, "report-passed"],
    ["of an earlier leadership", { epoch: 0 }, "report-passed"],
    ["that leaves something out", { from: 1_000, revision: 1_000 }, "report-gap"],
    ["of what a later global plane lent", { global: 2 }, "lender-passed"],
    ["with a number that is none", { askedMs: Number.NaN }, "bad-object"],
  ];
  test.each(cases)("%s is %j: %s [RG4][RG5][RG9]", (_, of, code) => {
    const pair = aLentPair();
    expect(codeOf(pair.hear(pair.report(of)))).toBe(code);
  });

  test("of a region that this plane serves is not for it [RG1]", () => {
    const pair = new RegionalPair();
    expect(
      codeOf(pair.global.send({ kind: "hear", report: pair.report() }, { role: "user" })),
    ).toBe("not-owner");
  });

  test("at the same position is taken in again, and makes the term longer [RG5]", () => {
    const pair = aLentPair();
    pair.pass(1_000);
    expect(codeOf(pair.hear())).toBe("committed");
    expect(pair.heard()?.termUntilMs).toBe(1_000 + termAsCounted(TERM_MS));
  });

  test("in part leaves what it does not speak of [RG5]", () => {
    const pair = aLentPair();
    const { revision } = pair.heard()!;
    expect(codeOf(pair.hear(pair.report({ from: revision, grants: [] })))).toBe("committed");
    expect(pair.committed()).toEqual(alike(500));
  });
});

describe("the exposure of a grant", () => {
  test("is the most of what was reported and of all that was lent since [RG6]", () => {
    const pair = aLentPair();
    pair.lend(200);
    pair.lend(700);
    pair.lend(100);
    expect(pair.committed()).toEqual(alike(700));
    expect(codeOf(pair.hear())).toBe("committed");
    expect(pair.committed()).toEqual(alike(700));
    pair.exchange();
    expect(pair.committed()).toEqual(alike(100));
  });

  test("stays while more is charged than the rights, and falls with the charges [RG6]", () => {
    const pair = aLentPair();
    pair.spend([0, 1, 2]);
    pair.lend(100);
    pair.exchange();
    expect(pair.limit()).toEqual(alike(100));
    expect(pair.committed()).toEqual(alike(300));
  });

  test("does not follow a report of a version before the last one [RG6]", () => {
    const pair = aLentPair();
    const { tenant, demand } = pair.report().grants[0]!;
    const grants = [{ tenant, version: 0, held: alike(0), demand }];
    expect(codeOf(pair.hear(pair.report({ grants })))).toBe("committed");
    expect(pair.committed()).toEqual(alike(500));
  });

  test("of a version that was never lent is what the region says [RG6]", () => {
    const pair = aLentPair();
    const { tenant, demand } = pair.report().grants[0]!;
    const grants = [{ tenant, version: 9, held: alike(800), demand }];
    pair.hear(pair.report({ grants }));
    expect(pair.grant()).toMatchObject({ spec: { version: 9 }, status: { reported: 9 } });
    expect(pair.committed()).toEqual(alike(800));
    expect(codeOf(pair.lend(100, { version: 10 }))).toBe("committed");
  });
});

describe("a region that was restored", () => {
  test("is heard as what it is now, and what it was counts until its term is over [RG4]", () => {
    const pair = aLentPair();
    const late = pair.report();
    pair.incarnateWest(2);
    // It has no machines, and charges nothing.
    expect(codeOf(pair.hear())).toBe("committed");
    expect(pair.heard()).toMatchObject({
      incarnation: 2,
      revision: 0,
      earlier: { incarnation: 1 },
    });
    expect(pair.committed()).toEqual(alike(500));
    expect(codeOf(pair.hear(late))).toBe("region-superseded");
    pair.pass(termAsCounted(TERM_MS));
    pair.exchange(1);
    expect(pair.heard()?.earlier).toBeUndefined();
    expect(pair.committed()).toEqual(alike(0));
    expect(pair.grant()).toMatchObject({ spec: { incarnation: 2, version: 1 } });
  });

  test("counts for what it was while it learns [RG4][RG13]", () => {
    const pair = aLentPair();
    pair.spend([0]);
    pair.incarnateWest(2);
    pair.pass(termAsCounted(TERM_MS));
    pair.hear();
    pair.hear();
    expect(pair.heard()).toMatchObject({ learning: true, revision: 0 });
    expect(pair.committed()).toEqual(alike(500));
  });

  test("is waited for anew by another leadership of the global plane [RG4]", () => {
    const pair = aLentPair();
    pair.incarnateWest(2);
    pair.pass(50_000);
    pair.hear();
    pair.pass(10_000);
    // Its clock is another: all that was left counts from its beginning.
    pair.global.nowMs = 5_000;
    pair.global.lead(2);
    pair.hear();
    expect(pair.heard()).toMatchObject({ under: 2, earlier: { untilMs: 17_200 } });
    pair.global.nowMs = 17_200;
    pair.hear();
    expect(pair.committed()).toEqual(alike(0));
  });
});
