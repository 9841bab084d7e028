import { expect, test } from "vitest";
import type { WaitReason } from "../../../core/protocol/decision.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aBeliever, aReplica } from "../../../../test/builders/check/fixtures.ts";
import { createWaitsChecker } from "./waits.ts";

const { key } = aReplica();
const owed: Owed = {
  key,
  reason: "quota-exhausted",
  wakes: ["quota:payments"],
  deadlineMs: 30_000,
  sinceRevision: 1,
};

function look(entry: Owed): string[] {
  const harness = new CheckerHarness(createWaitsChecker());
  harness.everyClient = [aBeliever({ name: "admit", owed: [entry] })];
  harness.sample();
  return harness.found;
}

test("a wait with a reason and a deadline is fine [INV14]", () => {
  expect(look(owed)).toEqual([]);
  expect(look({ ...owed, wakes: [] })).toEqual([]);
});

test("a wait without a deadline is reported [INV14]", () => {
  expect(look({ ...owed, deadlineMs: Infinity })).toEqual([
    "INV14 admit lets Replica/payments/api.1.0 wait for quota-exhausted with the deadline Infinity.",
  ]);
});

test("a wait without a reason is reported [INV14]", () => {
  expect(look({ ...owed, reason: "" as WaitReason })).toEqual([
    "INV14 admit lets Replica/payments/api.1.0 wait without a reason.",
  ]);
});
