import { describe, expect, test } from "vitest";
import { alike, RegionalPair, TERM_MS } from "../../../../test/builders/a-regional-pair.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Outcome } from "../../protocol/outcome.ts";

/** `payments` may spend 500 in the region, of which 200 are charged. */
function aSpendingPair(): RegionalPair {
  const pair = new RegionalPair();
  pair.exchange();
  pair.lend(500);
  pair.exchange();
  pair.spend([0, 1]);
  return pair;
}

function endTerm(pair: RegionalPair): Outcome {
  const { askedMs, epoch } = pair.plane.term!;
  return pair.west.send({ kind: "end-term", askedMs, epoch });
}

describe("quota in a region", () => {
  test("is taken while the term lasts, and not after it [RG11]", () => {
    const pair = aSpendingPair();
    pair.pass(TERM_MS - 1);
    expect(codeOf(pair.spend([2]))).toBe("committed");
    pair.pass(1);
    expect(codeOf(pair.spend([3]))).toBe("term-over");
  });

  test("is not taken by another leadership before it has asked [RG11]", () => {
    const pair = aSpendingPair();
    pair.west.lead(2);
    expect(codeOf(pair.spend([2]))).toBe("term-over");
    pair.exchange(1);
    expect(codeOf(pair.spend([2]))).toBe("committed");
  });

  test("is not taken while the region learns [RG11]", () => {
    const pair = aSpendingPair();
    pair.incarnateWest(2);
    expect(codeOf(pair.spend([2]))).toBe("term-over");
  });
});

describe("the end of a term", () => {
  test("leaves what is charged, within which the region repairs itself [RG12]", () => {
    const pair = aSpendingPair();
    pair.pass(TERM_MS - 1);
    expect(codeOf(endTerm(pair))).toBe("term-not-over");
    pair.pass(1);
    expect(codeOf(endTerm(pair))).toBe("committed");
    expect(codeOf(endTerm(pair))).toBe("term-not-over");
    expect(pair.limit()).toEqual(alike(200));
    expect(codeOf(pair.spend([2]))).toBe("quota-exceeded");
    pair.west.plant({
      ...pair.west.replica(0),
      status: { ...pair.west.replica(0).status, stage: "released" },
    });
    expect(codeOf(pair.spend([0], 2))).toBe("committed");
  });

  test("raises no limit that a shrink has put below what is charged [RG12]", () => {
    const pair = aSpendingPair();
    pair.lend(100);
    pair.exchange();
    pair.pass(TERM_MS);
    expect(codeOf(endTerm(pair))).toBe("committed");
    expect(pair.limit()).toEqual(alike(100));
  });

  test("comes ten seconds after a leadership whose clock is gone [RG12]", () => {
    const pair = aSpendingPair();
    pair.west.nowMs = 500_000;
    pair.west.lead(2);
    pair.west.nowMs += 9_999;
    expect(codeOf(endTerm(pair))).toBe("term-not-over");
    pair.west.nowMs += 1;
    expect(codeOf(endTerm(pair))).toBe("committed");
  });

  test("is the controller's, and of the term it names [RG12]", () => {
    const pair = aSpendingPair();
    pair.pass(TERM_MS);
    const { askedMs, epoch } = pair.plane.term!;
    const end = { kind: "end-term", askedMs, epoch } as const;
    expect(codeOf(pair.west.send(end, { role: "user" }))).toBe("not-owner");
    expect(codeOf(pair.west.send({ ...end, askedMs: askedMs + 1 }))).toBe("term-not-over");
  });

  test("is undone by the next answer, but for the rights: they are lent anew [RG12]", () => {
    const pair = aSpendingPair();
    pair.pass(TERM_MS);
    endTerm(pair);
    pair.exchange();
    expect(pair.plane.ended).toBeUndefined();
    expect(pair.limit()).toEqual(alike(200));
    expect(pair.committed()).toEqual(alike(200));
    pair.lend(400);
    pair.exchange(1);
    expect(codeOf(pair.spend([2, 3]))).toBe("committed");
  });
});
