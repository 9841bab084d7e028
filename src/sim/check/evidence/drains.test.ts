import { describe, expect, test } from "vitest";
import type { DrainTerms } from "../../../core/model/node/drain.ts";
import type { Evidence } from "../../../core/model/evidence.ts";
import type { Node } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createDrainsChecker } from "./drains.ts";
import { aNode, aReplica } from "../../../../test/builders/check/fixtures.ts";

const cordoned = (...holders: string[]): Node =>
  aNode({ spec: { cordons: holders.map((holder) => ({ holder, reason: "" })) } });

describe("holds", () => {
  test("who lifts or makes what is another's is reported, who lifts their own is not [INV90]", () => {
    const harness = new CheckerHarness(createDrainsChecker());
    harness.commit({ put: [cordoned("ada", "harness")] });
    harness.commit({ put: [cordoned("ada")] });
    expect(harness.found).toEqual([]);
    harness.commit({ put: [cordoned()] });
    harness.commit({ put: [cordoned("bob")] });
    expect(harness.found).toEqual([
      `INV90 harness changed what ada holds of Node//node-1 from "cordon ;" to "".`,
      `INV90 harness changed what bob holds of Node//node-1 from "" to "cordon ;".`,
    ]);
  });

  test("a person who forces it may lift another's hold [INV90]", () => {
    const harness = new CheckerHarness(createDrainsChecker());
    harness.commit({ put: [cordoned("ada")] });
    const evidence: Evidence = { kind: "person", name: "harness", statement: "she left" };
    harness.commit({ put: [cordoned()], evidence });
    expect(harness.found).toEqual([]);
  });
});

test("any user lifts the hold of a node that waits for approval, and no agent does [INV90]", () => {
  const harness = new CheckerHarness(createDrainsChecker());
  harness.commit({ put: [cordoned("approval")] });
  harness.commit({ put: [cordoned()] });
  const found = harness.found.length;
  harness.commit({ put: [cordoned("approval")] });
  harness.commit({ put: [cordoned()], role: "agent" });
  expect([found, harness.found.length]).toEqual([0, 2]);
});

const drained = (drain: DrainTerms, overMs?: number): Node =>
  aNode({
    spec: { draining: true, drain },
    status: {
      drain: { generation: 1, sinceMs: 0, epoch: 1, ...(overMs === undefined ? {} : { overMs }) },
    },
  });

function runTo(atMs: number, terms: DrainTerms, kind: "drain" | "drain-forced"): string[] {
  const harness = new CheckerHarness(createDrainsChecker());
  harness.commit({ put: [drained(terms)] });
  harness.nowMs = atMs;
  harness.commit({ command: "drain-over", role: "drain-node", put: [drained(terms, atMs)] });
  const replica = aReplica({ status: { stage: "serving", node: "node-1" } });
  const evidence: Evidence = { kind, node: "node-1" };
  harness.commit({ command: "evict", role: "drain-node", evidence, put: [replica] });
  return harness.found;
}

describe("deadlines", () => {
  const TERMS: DrainTerms = { holder: "harness", reason: "", deadlineMs: 60_000 };
  const FORCED: DrainTerms = { ...TERMS, atDeadline: "force" };

  test("a drain that is over before its deadline is reported [INV91]", () => {
    expect(runTo(60_000, FORCED, "drain-forced")).toEqual([]);
    expect(runTo(30_000, FORCED, "drain-forced")).toEqual([
      "INV91 The drain of Node//node-1 was over after 30000 ms instead of 60000 ms.",
    ]);
  });

  test("force that the drain does not speak of, or that comes early, is reported [INV91]", () => {
    expect(runTo(60_000, TERMS, "drain-forced")[0]).toMatch(/of which no forced drain is over/);
    const harness = new CheckerHarness(createDrainsChecker());
    harness.commit({ put: [drained(FORCED)] });
    const evidence: Evidence = { kind: "drain-forced", node: "node-1" };
    harness.commit({ command: "evict", role: "drain-node", evidence });
    expect(harness.found).toHaveLength(1);
  });

  test("who is asked to leave after a drain has stopped is reported [INV91]", () => {
    expect(runTo(60_000, TERMS, "drain")[0]).toMatch(/whose drain has stopped/);
  });
});
