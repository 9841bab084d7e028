import { expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  anAsk,
  aQuota,
  aReplica,
  aReservation,
  aTemplate,
  bound,
  freed,
  sharing,
} from "../../../test/builders/check/fixtures.ts";
import { createQuotaChecker } from "./quota.ts";

const asking = (cpuMillis: number, index: number): Replica =>
  aReplica({
    spec: { index, template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis }) }) }) },
  });

function benchWithQuota(cpuMillis: number): CheckerHarness {
  const harness = new CheckerHarness(createQuotaChecker());
  harness.commit({ put: [aQuota({ cpuMillis })] });
  return harness;
}

test("quota that is reserved, committed and given back adds up [INV4]", () => {
  const harness = benchWithQuota(1000);
  const replica = asking(1000, 0);
  const reservation = aReservation(replica);
  harness.commit({ put: [replica] });
  harness.commit({ command: "reserve", put: [reservation] });
  harness.sample();
  harness.commit({ command: "bind", remove: [reservation.key], put: [bound(replica)] });
  harness.commit({ command: "report", put: [bound(replica, "node-1", { stage: "serving" })] });
  harness.sample();
  harness.commit({ command: "report", put: [freed(replica)] });
  harness.commit({ put: [aQuota({ cpuMillis: 10 })] });
  harness.finish();
  expect(harness.found).toEqual([]);
});

test("reservations that together exceed the limit are reported [INV4]", () => {
  const harness = benchWithQuota(1000);
  harness.commit({
    command: "reserve",
    operation: "reserve/0",
    put: [aReservation(asking(600, 0))],
  });
  harness.commit({
    command: "reserve",
    operation: "reserve/1",
    put: [aReservation(asking(600, 1))],
  });
  expect(harness.found).toEqual([
    "INV4 After reserve reserve/1, tenant payments has cpuMillis 1200 reserved and 0 committed of 1000.",
  ]);
});

test("a bind that keeps its reservation is charged twice and reported [INV4]", () => {
  const harness = benchWithQuota(1000);
  const replica = asking(600, 0);
  harness.commit({ command: "reserve", put: [aReservation(replica)] });
  harness.commit({ command: "bind", put: [bound(replica)] });
  expect(harness.found).toHaveLength(1);
});

test("a limit set below what is in use is fine, and use that grows all the same is reported [INV4]", () => {
  const harness = benchWithQuota(1000);
  harness.commit({ command: "reserve", put: [aReservation(asking(600, 0))] });
  harness.commit({ operation: "shrink", put: [aQuota({ cpuMillis: 599 })] });
  harness.sample();
  expect(harness.found).toEqual([]);
  harness.commit({ command: "reserve", operation: "more", put: [aReservation(asking(1, 1))] });
  expect(harness.found).toEqual([
    "INV4 After reserve more, tenant payments has cpuMillis 601 reserved and 0 committed of 599.",
  ]);
});

const of = (tenant: string, cpuMillis: number, index = 0): Replica =>
  aReplica({
    tenant,
    spec: { index, template: aTemplate({ ask: anAsk({ amounts: amounts({ cpuMillis }) }) }) },
  });

test("a tenant that borrows from its group is fine, beyond what it may borrow it is reported [INV4]", () => {
  const harness = new CheckerHarness(createQuotaChecker());
  const borrow = amounts({ cpuMillis: 100 });
  harness.commit({
    put: [sharing("a", 500, { group: "g" }), sharing("b", 100, { group: "g", borrow })],
  });
  harness.commit({ command: "reserve", put: [aReservation(of("b", 200))] });
  harness.sample();
  expect(harness.found).toEqual([]);
  harness.commit({ command: "reserve", operation: "r2", put: [aReservation(of("b", 1, 1))] });
  expect(harness.found).toEqual([
    "INV4 After reserve r2, tenant b has cpuMillis 201 reserved and 0 committed of 100 and 100 it may borrow.",
  ]);
});

test("a group whose tenants together take more than they bring is reported [INV30]", () => {
  const harness = new CheckerHarness(createQuotaChecker());
  harness.commit({ put: [sharing("a", 500, { group: "g" }), sharing("b", 100, { group: "g" })] });
  harness.commit({ command: "reserve", put: [aReservation(of("a", 400))] });
  harness.commit({ command: "reserve", operation: "r2", put: [aReservation(of("b", 201))] });
  expect(harness.found).toEqual([
    "INV30 After reserve r2, group g has cpuMillis 601 reserved and 0 committed of 600.",
  ]);
  // One that leaves with its limit makes the rest overdrawn, which is nobody's growth.
  harness.commit({ put: [sharing("a", 500)] });
  harness.sample();
  expect(harness.found).toHaveLength(1);
});

test("a group's account that says something else than its tenants' is reported [INV30]", () => {
  const harness = new CheckerHarness(createQuotaChecker());
  harness.commit({ put: [sharing("a", 500, { group: "g" })] });
  harness.objects.quotaUsage.group("g")!.account.free.cpuMillis = 7;
  harness.sample();
  expect(harness.found).toEqual([
    "INV30 The account of group g shows cpuMillis 7 as free; the log adds up to 500.",
  ]);
});

test("a negative charge is reported [INV4]", () => {
  const harness = benchWithQuota(1000);
  harness.commit({ command: "reserve", put: [aReservation(asking(-5, 0))] });
  expect(harness.found).toEqual([
    "INV4 Reservation/payments/api.1.0.1 is charged a negative cpuMillis of -5.",
  ]);
});

test("an account that was not moved with the objects is reported [INV4]", () => {
  const harness = benchWithQuota(1000);
  harness.commit({ command: "reserve", put: [aReservation(asking(600, 0))] });
  harness.objects.accountOf("payments").reserved.cpuMillis = 0;
  harness.objects.accountOf("payments").free.cpuMillis = 1000;
  harness.finish();
  expect(harness.found).toContain(
    "INV4 The account of tenant payments shows cpuMillis 0 as reserved; the log adds up to 600.",
  );
});
