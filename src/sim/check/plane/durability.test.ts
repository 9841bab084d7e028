import { expect, test } from "vitest";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { operationId } from "../../../core/model/ids.ts";
import { createDurabilityChecker } from "./durability.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";

function told(operation: string, reply: Reply): string[] {
  const harness = new CheckerHarness(createDurabilityChecker());
  harness.commit({ operation: "first" });
  harness.commit({ operation: "second" });
  harness.checker.replied?.("admit", operationId(operation), reply, harness, harness.report);
  return harness.found;
}

const committed = (revision: number): Reply => ({
  kind: "outcome",
  outcome: { kind: "committed", revision },
  epoch: 1,
});

test("replies that the log bears out, and those that promise nothing, are fine [INV11]", () => {
  const first = { kind: "committed", revision: 2 } as const;
  expect(told("second", committed(2))).toEqual([]);
  expect(
    told("second", { kind: "outcome", outcome: { kind: "duplicate", first, asOf: 9 }, epoch: 1 }),
  ).toEqual([]);
  expect(told("second", { kind: "found", first, asOf: 9, epoch: 1 })).toEqual([]);
  expect(told("third", { kind: "not-found", epoch: 1 })).toEqual([]);
  expect(told("third", { kind: "unavailable" })).toEqual([]);
});

test("an acknowledged commit that the log does not hold is reported [INV11]", () => {
  expect(told("third", committed(3))).toEqual([
    "INV11 admit was told that third is committed at revision 3; the log ends at 2.",
  ]);
});

test("an acknowledged commit that is another operation's is reported [INV11]", () => {
  const first = { kind: "committed", revision: 1 } as const;
  expect(told("second", { kind: "found", first, asOf: 9, epoch: 1 })).toEqual([
    "INV11 admit was told that second is committed at revision 1; that revision is first.",
  ]);
});
