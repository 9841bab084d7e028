import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createReadsChecker } from "./reads.ts";

class Harness extends CheckerHarness {
  constructor() {
    super(createReadsChecker(), { planes: 2 });
  }
  shows(plane: string, revision: number): void {
    this.checker.shown?.(plane, revision, this, this.report);
  }
  tells(plane: string, revision: number): void {
    const reply = { kind: "outcome", outcome: { kind: "committed", revision }, epoch: 1 } as const;
    this.checker.answered?.(plane, reply, this, this.report);
  }
  asks(): void {
    this.checker.listAsked?.("admit");
  }
  isGiven(revision: number): readonly string[] {
    this.checker.listed?.("admit", revision, this.report);
    return this.found;
  }
}

test("a list older than what some plane had shown is found [INV122]", () => {
  const harness = new Harness();
  harness.shows("plane-1", 7);
  harness.shows("plane-2", 5);
  harness.asks();
  expect(harness.isGiven(6)).toEqual([
    "INV122 admit asked when revision 7 had been shown, and was given a list as of revision 6.",
  ]);
});

test("a list older than an acknowledged commit is found [INV122]", () => {
  const harness = new Harness();
  harness.tells("plane-1", 9);
  harness.asks();
  expect(harness.isGiven(8)).toHaveLength(1);
});

test("what is shown between the question and the answer is no reason to complain [INV122]", () => {
  const harness = new Harness();
  harness.shows("plane-1", 7);
  harness.asks();
  harness.tells("plane-1", 9);
  expect(harness.isGiven(7)).toEqual([]);
});
