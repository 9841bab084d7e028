import { expect, test } from "vitest";
import { leaseOperation } from "../../../core/protocol/operations.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createClocksChecker } from "./clocks.ts";
import { aLease, aNode } from "../../../../test/builders/check/fixtures.ts";

/**
 * A renewal every five seconds by a clock that is off by so many parts in a thousand; the last may
 * suspect it.
 */
function renewing(of: {
  readonly forMs: number;
  readonly offBy: number;
  readonly isSuspect?: true;
}) {
  const harness = new CheckerHarness(createClocksChecker());
  harness.commit({ put: [aNode()] });
  for (let seq = 1; seq * 5_000 <= of.forMs; seq += 1) {
    harness.nowMs = seq * 5_000;
    const operation = leaseOperation("node-1", 1, seq);
    const nowMs = 77_000 + Math.floor((harness.nowMs * (1000 + of.offBy)) / 1000);
    const clock = { startedMs: 77_000, nowMs };
    const intent = {
      kind: "lease",
      operation,
      node: "node-1",
      session: 1,
      seq,
      kept: [],
      clock,
    } as const;
    const actor = { role: "agent", name: "agent:node-1" } as const;
    const command = { intent, epoch: 1, basis: 0, actor };
    const request = { kind: "command", command, attempt: 1 } as const;
    harness.checker.requested?.("agent:node-1", operation, 1, harness, harness.report, request);
    const isLast = (seq + 1) * 5_000 > of.forMs;
    const suspected = aNode({ status: { clock: { offBy: of.offBy, sinceMs: 0 } } });
    const put = [aLease("node-1", { seq }), ...(isLast && of.isSuspect ? [suspected] : [])];
    harness.commit({ command: "lease", role: "agent", put });
  }
  return harness.found;
}

test("a clock within the bound that is not suspected is fine [INV72]", () => {
  expect(renewing({ forMs: 600_000, offBy: 10 })).toEqual([]);
});

test("a clock beyond the bound that is suspected is fine [INV72]", () => {
  expect(renewing({ forMs: 150_000, offBy: -60, isSuspect: true })).toEqual([]);
});

test("a clock within the bound that is suspected is reported [INV72]", () => {
  expect(renewing({ forMs: 150_000, offBy: 10, isSuspect: true })).toEqual([
    "INV72 Node//node-1 is suspected of its clock, which was off by 10 parts in a thousand, and ours by 0.",
  ]);
});

test("a clock far beyond the bound that is not suspected for minutes is reported [INV72]", () => {
  expect(renewing({ forMs: 215_000, offBy: 60 })).toEqual([
    "INV72 Node//node-1 has had a wrong clock for 205000 ms, and no check noticed.",
  ]);
});
