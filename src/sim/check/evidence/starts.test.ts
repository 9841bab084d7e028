import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aProcess, aReplica, bound, freed } from "../../../../test/builders/check/fixtures.ts";
import { createStartsChecker } from "./starts.ts";

function startFor(...replicas: readonly Replica[]): string[] {
  const harness = new CheckerHarness(createStartsChecker());
  harness.commit({ put: replicas });
  harness.start(aProcess());
  return harness.found;
}

test("a start that the authority has committed the claim to is fine [INV20]", () => {
  expect(startFor(bound(aReplica(), "node-1", { stage: "starting" }))).toEqual([]);
});

test("a start that was only bound, or is of another incarnation or of nothing, is reported [INV20]", () => {
  expect(startFor(bound(aReplica()))).toEqual([
    "INV20 node-1 started Replica/payments/api.1.0 incarnation 1, which is bound in incarnation 1.",
  ]);
  expect(startFor(freed(aReplica(), { incarnation: 2 }))).toHaveLength(1);
  expect(startFor()).toEqual([
    "INV20 node-1 started Replica/payments/api.1.0 incarnation 1, which is gone.",
  ]);
});
