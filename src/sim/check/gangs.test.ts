import { describe, expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aQuota,
  aReplica,
  aWorkload,
  bound,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createGangsChecker } from "./gangs.ts";

const GANG = { deadlineMs: 10_000 };
const gang = aWorkload({ spec: { replicas: 2, gang: GANG } });
const member = (index: number): Replica =>
  aReplica({ spec: { index }, status: { stage: "queued" } });

function aHarness(...put: readonly Replica[]): CheckerHarness {
  const harness = new CheckerHarness(createGangsChecker(), { faultsUntilMs: 1_000 });
  // The gang comes last: what is there before it was bound before it was one.
  harness.commit({ put: [aNode(), aQuota(), ...put] });
  harness.commit({ put: [gang] });
  return harness;
}

const bind = (harness: CheckerHarness, ...put: readonly Replica[]): readonly string[] => {
  harness.commit({ command: "bind-all", role: "place", put });
  return harness.found;
};

describe("a commit that binds", () => {
  test("all of a gang breaks no rule [INV50]", () => {
    const harness = aHarness(member(0), member(1));
    expect(bind(harness, bound(member(0)), bound(member(1)))).toEqual([]);
  });

  test("a part of a gang is reported [INV50]", () => {
    expect(bind(aHarness(member(0), member(1)), bound(member(0)))).toEqual([
      "INV50 operation-3 bound some of Workload/payments/api while Replica/payments/api.1.1 is queued and has no node to stay on.",
    ]);
  });

  test("beside one that is on its way out is reported [INV50]", () => {
    const stopping = { reason: "drain", sinceMs: 0 } as const;
    const leaving = bound(member(1), "node-1", { stopping });
    expect(bind(aHarness(member(0), leaving), bound(member(0)))).toHaveLength(1);
  });

  test("beside one that runs or has succeeded breaks no rule [INV50]", () => {
    expect(bind(aHarness(member(0), bound(member(1))), bound(member(0)))).toEqual([]);
    const done = withStatus(member(1), { stage: "succeeded" });
    expect(bind(aHarness(member(0), done), bound(member(0)))).toEqual([]);
  });
});

const hold = (harness: CheckerHarness, untilMs: number): readonly string[] => {
  for (; harness.nowMs <= untilMs; harness.nowMs += 5_000) harness.sample();
  return harness.found;
};

describe("quota of a gang that does not run", () => {
  test("may be held until the deadline, and for a few looks more [INV50]", () => {
    const harness = aHarness(member(0), member(1));
    expect(hold(harness, 135_000)).toEqual([]);
  });

  test("is reported when it is held for longer [INV50]", () => {
    const harness = aHarness(member(0), member(1));
    expect(hold(harness, 140_000)[0]).toMatch(/^INV50 Replica\/payments\/api.1.0 held quota for/);
  });
});
