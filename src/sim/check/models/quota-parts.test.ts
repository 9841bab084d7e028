import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  anAsk,
  aNode,
  aReplica,
  aReservation,
  aTemplate,
  bound,
  freed,
  sharing,
} from "../../../../test/builders/check/fixtures.ts";
import { createQuotaPartsChecker } from "./quota-parts.ts";

const of = (tenant: string, cpuMillis: number, index = 0, priorityClass = ""): Replica => {
  const ask = anAsk({ amounts: amounts({ cpuMillis }) });
  return aReplica({ tenant, spec: { index, template: aTemplate({ ask, priorityClass }) } });
};

const granting = (cpuMillis: number) => amounts({ cpuMillis, memoryMiB: 9_000 });

test("a region takes what the quota grants there, and more is reported [INV31]", () => {
  const harness = new CheckerHarness(createQuotaPartsChecker());
  const regions = { eu: granting(250), us: granting(0) };
  harness.commit({ put: [aNode(), sharing("t", 900, { regions })] });
  for (const index of [0, 1])
    harness.commit({ command: "bind", put: [bound(of("t", 100, index))] });
  expect(harness.found).toEqual([]);
  harness.commit({ command: "bind", operation: "b3", put: [bound(of("t", 100, 2))] });
  expect(harness.found).toEqual([
    "INV31 After bind b3, tenant t uses cpuMillis 300 in region eu, of 250.",
  ]);
  // A bound that is made smaller is nobody's growth, and neither is a replica that leaves.
  harness.commit({ put: [sharing("t", 900, { regions: { eu: granting(10) } })] });
  harness.commit({ command: "report", put: [freed(of("t", 100, 0))] });
  expect(harness.found).toHaveLength(1);
});

test("a class takes what the quota grants to it, reserved or held, and more is reported [INV31]", () => {
  const harness = new CheckerHarness(createQuotaPartsChecker());
  const replicas = [0, 1, 2].map((index) => of("t", 100, index, "low"));
  const [first, second, third] = replicas as [Replica, Replica, Replica];
  harness.commit({
    put: [aNode(), sharing("t", 900, { classes: { low: granting(200) } }), ...replicas],
  });
  harness.commit({ command: "bind", put: [bound(first)] });
  harness.commit({ command: "reserve", put: [aReservation(second)] });
  harness.commit({ command: "reserve", put: [aReservation(of("t", 500, 7))] });
  expect(harness.found).toEqual([]);
  harness.commit({ command: "reserve", operation: "r3", put: [aReservation(third)] });
  expect(harness.found).toEqual([
    "INV31 After reserve r3, tenant t uses cpuMillis 300 in class low, of 200.",
  ]);
});

test("what is lent while another waits for it who is entitled to it is reported [INV31]", () => {
  const harness = new CheckerHarness(createQuotaPartsChecker());
  harness.commit({
    put: [sharing("a", 300, { group: "g" }), sharing("b", 100, { group: "g" }), of("a", 250)],
  });
  harness.commit({ command: "reserve", put: [aReservation(of("b", 100))] });
  harness.commit({ command: "reserve", put: [aReservation(of("b", 50, 1))] });
  expect(harness.found).toEqual([]);
  harness.commit({ command: "reserve", operation: "r3", put: [aReservation(of("b", 10, 2))] });
  expect(harness.found).toEqual([
    "INV31 After reserve r3, tenant b borrows cpuMillis 60, of which others of group g wait for 10 that is theirs.",
  ]);
});
