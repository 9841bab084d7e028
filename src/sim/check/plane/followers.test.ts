import { expect, test } from "vitest";
import { Ledger } from "../../../core/commit/ledger.ts";
import { operationId } from "../../../core/model/ids.ts";
import type { PlaneState } from "../checker.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";
import { aNode } from "../../../../test/builders/check/fixtures.ts";
import { createFollowersChecker } from "./followers.ts";

class Bench extends CheckerBench {
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

function threeNodes(): Bench {
  const bench = new Bench();
  for (const name of ["n1", "n2", "n3"]) {
    bench.commit({ operation: `put-${name}`, put: [aNode({ name })] });
  }
  return bench;
}

test("a follower that holds what the log says so far is in order, however far it has come [INV124]", () => {
  const bench = threeNodes();
  expect(bench.endsWith(bench.plane({ to: 2 }))).toEqual([]);
  expect(bench.endsWith(bench.plane({ to: 3 }))).toEqual([]);
});

test("a follower that has passed something over is found [INV124]", () => {
  const bench = threeNodes();
  expect(bench.endsWith(bench.plane({ to: 3, without: 2 }))).toEqual([
    "INV124 plane-2 has followed to revision 3 and holds nothing of Node//n2, which was written at 2.",
  ]);
});

test("a follower that still holds what was removed is found [INV124]", () => {
  const bench = threeNodes();
  bench.commit({ operation: "delete-n1", remove: [aNode({ name: "n1" }).key] });
  expect(bench.endsWith(bench.plane({ to: 4 }))).toEqual([]);
  expect(bench.endsWith(bench.plane({ to: 4, without: 4 }))).toEqual([
    "INV124 plane-2 has followed to revision 4 and still holds Node//n1, which was removed at 4.",
  ]);
});

test("a leader that does not know what was acknowledged is found [INV123]", () => {
  const bench = threeNodes();
  const reply = { kind: "outcome", outcome: { kind: "committed", revision: 2 }, epoch: 1 } as const;
  bench.checker.replied?.("user", operationId("put-n2"), reply, bench, bench.report);
  expect(bench.endsWith(bench.plane({ to: 3, isLeading: true }))).toEqual([]);
  expect(bench.endsWith(bench.plane({ to: 3, without: 2, isLeading: true }))).toEqual([
    "INV123 put-n2 was acknowledged at revision 2; plane-2 leads and does not know of it.",
  ]);
});

test("a follower that does not come after the log is found [LIV51]", () => {
  const bench = threeNodes();
  const plane = bench.plane({ to: 2 });
  bench.everyPlane = [plane];
  for (const nowMs of [0, 5_000]) {
    bench.nowMs = nowMs;
    bench.checker.sampled?.(bench, bench.report);
  }
  expect(bench.found).toEqual([]);
  bench.nowMs = 10_000;
  bench.checker.sampled?.(bench, bench.report);
  expect(bench.found).toEqual([
    "LIV51 plane-2 has come to revision 2; the log was at 3 10000 ms ago.",
  ]);
});
