import { expect, test } from "vitest";
import { operationId } from "../../../core/model/ids.ts";
import { OPERATION_ATTEMPTS } from "../../../core/runner/runner.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createRetriesChecker } from "./retries.ts";

function send(attempt: number): string[] {
  const harness = new CheckerHarness(createRetriesChecker());
  const operation = operationId("bind/api");
  const request = { kind: "lookup", operation, attempt } as const;
  harness.checker.requested?.("place-1", operation, attempt, harness, harness.report, request);
  return harness.found;
}

test("attempts up to the allowance are fine [INV15]", () => {
  expect(send(1)).toEqual([]);
  expect(send(OPERATION_ATTEMPTS)).toEqual([]);
});

test("an attempt past the allowance is reported [INV15]", () => {
  expect(send(OPERATION_ATTEMPTS + 1)).toHaveLength(1);
  expect(send(0)).toHaveLength(1);
});
