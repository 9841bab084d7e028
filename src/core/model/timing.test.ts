import { expect, test } from "vitest";
import {
  CLOCK_BOUND_MS,
  CORRELATED_HOLD_MS,
  DRIFT_PARTS_PER_THOUSAND,
  FENCE_AFTER_MS,
  KILL_GRACE_MS,
  LEASE_MS,
  RENEW_EVERY_MS,
  SUSPECT_AFTER_MS,
  UNKNOWN_AFTER_MS,
} from "./timing.ts";

test("a process is dead by the slowest clock before the fastest clock lets its node be fenced [CL1]", () => {
  // The agent's clock runs slow, so its lease lasts longer; the authority's runs fast, so it waits
  // shorter.
  const slow = 1000 - DRIFT_PARTS_PER_THOUSAND;
  const fast = 1000 + DRIFT_PARTS_PER_THOUSAND;
  const trulyDeadMs = ((LEASE_MS + KILL_GRACE_MS) * 1000) / slow;
  const trulyFencedMs = (FENCE_AFTER_MS * 1000) / fast;
  expect(DRIFT_PARTS_PER_THOUSAND).toBe(10);
  expect(trulyFencedMs).toBeGreaterThan(trulyDeadMs);
});

test("the times of the specification are the times of the code [EV3]", () => {
  expect([LEASE_MS, KILL_GRACE_MS, CLOCK_BOUND_MS]).toEqual([15_000, 3_000, 500]);
  expect(FENCE_AFTER_MS).toBe(18_500);
});

test("the hold of correlated silence is two minutes, longer than any single silence needs [EV4]", () => {
  expect(CORRELATED_HOLD_MS).toBe(120_000);
});

test("a node is suspect after a lost renewal, unknown when the lease is over, and fenced last", () => {
  expect(RENEW_EVERY_MS * 3).toBeLessThanOrEqual(LEASE_MS);
  expect(SUSPECT_AFTER_MS).toBeGreaterThan(RENEW_EVERY_MS);
  expect(UNKNOWN_AFTER_MS).toBeGreaterThan(SUSPECT_AFTER_MS);
  expect(FENCE_AFTER_MS).toBeGreaterThan(UNKNOWN_AFTER_MS);
});
