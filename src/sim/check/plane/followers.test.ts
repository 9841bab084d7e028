import { expect, test } from "vitest";
import { Ledger } from "../../../core/commit/ledger.ts";
import { operationId } from "../../../core/model/ids.ts";
import type { PlaneState } from "../checker.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aNode } from "../../../../test/builders/check/fixtures.ts";
import { createFollowersChecker } from "./followers.ts";

class Harness extends CheckerHarness {
  constructor() {
    super(createFollowersChecker(), { planes: 2, faultsUntilMs: 0 });
  }

  /** A plane that has folded so much of the log, but for one revision that it passed over. */
  plane(of: { to: number; without?: number; isLeading?: boolean }): PlaneState {
    const ledger = new Ledger();
    for (const commit of this.commits.slice(0, of.to)) {
      if (commit.revision === of.without) ledger.revision = commit.revision;
      else ledger.fold(commit);
    }
    return { name: "plane-2", isLeading: of.isLeading ?? false, epoch: 1, ledger };
  }

  endsWith(plane: PlaneState): readonly string[] {
    this.everyPlane = [plane];
    this.checker.atEnd?.(this, this.report);
    return this.found;
  }
}

function threeNodes(): Harness {
  const harness = new Harness();
  for (const name of ["n1", "n2", "n3"]) {
    harness.commit({ operation: `put-${name}`, put: [aNode({ name })] });
  }
  return harness;
}

test("a follower that holds what the log says so far is in order, however far it has come [INV124]", () => {
  const harness = threeNodes();
  expect(harness.endsWith(harness.plane({ to: 2 }))).toEqual([]);
  expect(harness.endsWith(harness.plane({ to: 3 }))).toEqual([]);
});

test("a follower that has passed something over is found [INV124]", () => {
  const harness = threeNodes();
  expect(harness.endsWith(harness.plane({ to: 3, without: 2 }))).toEqual([
    "INV124 plane-2 has followed to revision 3 and holds nothing of Node//n2, which was written at 2.",
  ]);
});

test("a follower that still holds what was removed is found [INV124]", () => {
  const harness = threeNodes();
  harness.commit({ operation: "delete-n1", remove: [aNode({ name: "n1" }).key] });
  expect(harness.endsWith(harness.plane({ to: 4 }))).toEqual([]);
  expect(harness.endsWith(harness.plane({ to: 4, without: 4 }))).toEqual([
    "INV124 plane-2 has followed to revision 4 and still holds Node//n1, which was removed at 4.",
  ]);
});

test("a leader that does not know what was acknowledged is found [INV123]", () => {
  const harness = threeNodes();
  const reply = { kind: "outcome", outcome: { kind: "committed", revision: 2 }, epoch: 1 } as const;
  harness.checker.replied?.("user", operationId("put-n2"), reply, harness, harness.report);
  expect(harness.endsWith(harness.plane({ to: 3, isLeading: true }))).toEqual([]);
  expect(harness.endsWith(harness.plane({ to: 3, without: 2, isLeading: true }))).toEqual([
    "INV123 put-n2 was acknowledged at revision 2; plane-2 leads and does not know of it.",
  ]);
});

test("a follower that does not come after the log is found [LIV51]", () => {
  const harness = threeNodes();
  const plane = harness.plane({ to: 2 });
  harness.everyPlane = [plane];
  for (const nowMs of [0, 5_000]) {
    harness.nowMs = nowMs;
    harness.checker.sampled?.(harness, harness.report);
  }
  expect(harness.found).toEqual([]);
  harness.nowMs = 10_000;
  harness.checker.sampled?.(harness, harness.report);
  expect(harness.found).toEqual([
    "LIV51 plane-2 has come to revision 2; the log was at 3 10000 ms ago.",
  ]);
});
