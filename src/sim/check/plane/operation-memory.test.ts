import { expect, test } from "vitest";
import { KnownOperations } from "../../../core/commit/known-operations.ts";
import { Ledger } from "../../../core/commit/ledger.ts";
import { OPERATION_LIMITS } from "../../../core/commit/operation-limits.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aWorkload } from "../../../../test/builders/check/fixtures.ts";
import { createOperationMemoryChecker } from "./operation-memory.ts";

const ANN = { role: "user", name: "ann" } as const;
const EVE = { role: "user", name: "eve" } as const;

/**
 * One put of Ann's and so many of Eve's, of which the plane remembers what a ledger does, or
 * nothing of Ann's.
 */
function told(eves: number, of: { readonly isForgotten: boolean }): readonly string[] {
  const harness = new CheckerHarness(createOperationMemoryChecker());
  const ledger = new Ledger();
  const commits = [harness.commit({ actor: ANN, put: [aWorkload()] })];
  for (let at = 0; at < eves; at += 1) commits.push(harness.commit({ actor: EVE, changes: [] }));
  const operations = new KnownOperations();
  for (const { actor, operation, revision, command } of commits) {
    if (of.isForgotten && actor === ANN) continue;
    operations.remember(`user:${actor.name}`, operation, { revision, command });
  }
  const { objects } = ledger;
  const known = { revision: commits.length, objects, operations };
  harness.everyPlane = [{ name: "plane-1", isLeading: true, epoch: 1, ledger: known }];
  harness.sample();
  return harness.found;
}

test("[OP3] a caller with few operations that was forgotten is found", () => {
  expect(told(3, { isForgotten: false })).toEqual([]);
  expect(told(3, { isForgotten: true })).toEqual([expect.stringMatching(/^OP3 .* of user:ann/)]);
});

test("[OP3] a caller that has sent more than its part may be forgotten in part", () => {
  const most = OPERATION_LIMITS.callerOperations.value;
  expect(told(most, { isForgotten: false })).toEqual([]);
});
