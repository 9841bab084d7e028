import { expect, test } from "vitest";
import type { ObjectKey } from "../../../core/model/ids.ts";
import { View } from "../../../core/observe/view.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aBeliever, aReplica, aWorkload, bound } from "../../../../test/builders/check/fixtures.ts";
import { createTrackingChecker } from "./tracking.ts";

const replica = aReplica();

/**
 * What is found when this component sees the replica in this stage and has these keys on its mind.
 */
function look(
  name: string,
  stage: "admitted" | "queued",
  ...tracked: readonly ObjectKey[]
): string[] {
  const harness = new CheckerHarness(createTrackingChecker());
  const view = new View({ kinds: new Set(["Replica"]), node: undefined });
  view.replace([{ ...replica, status: { ...replica.status, stage } }], 1, 1);
  harness.everyClient = [aBeliever({ name, view, isTracking: (key) => tracked.includes(key) })];
  harness.finish();
  return harness.found;
}

test("what is unsettled and on its component's mind is fine [INV19]", () => {
  expect(look("place-1", "queued", aWorkload().key)).toEqual([]);
  expect(look("place-1", "admitted")).toEqual([]);
  expect(look("admit", "admitted", aWorkload().key)).toEqual([]);
  expect(look("node-health", "queued")).toEqual([]);
});

test("a queued replica that a scheduler has forgotten is reported [INV19]", () => {
  expect(look("place-1", "queued", replica.key)).toEqual([
    "INV19 place-1 sees Replica/payments/api.1.0 queued and has forgotten Workload/payments/api.",
  ]);
});

test("an admitted replica whose workload the admit controller has forgotten is reported [INV19]", () => {
  expect(look("admit", "admitted", bound(replica).key)).toEqual([
    "INV19 admit sees Replica/payments/api.1.0 admitted and has forgotten Workload/payments/api.",
  ]);
});
