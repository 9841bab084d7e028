import { expect, test } from "vitest";
import { RetryBudget } from "./retry-budget.ts";

/** How many retries it gives at this moment; no test has more than a thousand. */
function drain(budget: RetryBudget, nowMs: number): number {
  let taken = 0;
  for (; taken < 1_000 && budget.has(nowMs); taken += 1) budget.take();
  return taken;
}

const aRecoveryBudget = (): RetryBudget => new RetryBudget({ burst: 10, perSecond: 1 });

test("a few retries go out at once, then one in a second [RN8]", () => {
  const budget = aRecoveryBudget();
  expect(drain(budget, 5_000)).toBe(10);
  expect(drain(budget, 5_999)).toBe(0);
  expect(budget.nextMs(5_999)).toBeLessThanOrEqual(6_099);
  expect(drain(budget, 6_000)).toBe(1);
  expect(drain(budget, 9_000)).toBe(3);
});

test("a long calm saves up no more than the burst [RN8]", () => {
  const budget = aRecoveryBudget();
  drain(budget, 0);
  expect(drain(budget, 86_400_000)).toBe(10);
});

test("ten first attempts pay for one retry [RN8]", () => {
  const budget = aRecoveryBudget();
  drain(budget, 0);
  for (let sent = 0; sent < 9; sent += 1) budget.firstAttempt();
  expect(drain(budget, 0)).toBe(0);
  budget.firstAttempt();
  expect(drain(budget, 0)).toBe(1);
});

test("an answer pays for two, so a plane that is back gets its requests soon [RN8]", () => {
  const budget = aRecoveryBudget();
  drain(budget, 0);
  const rounds: number[] = [];
  let inFlight = 1;
  for (let round = 0; round < 4; round += 1) {
    for (let answer = 0; answer < inFlight; answer += 1) budget.answered();
    inFlight = drain(budget, 0);
    rounds.push(inFlight);
  }
  expect(rounds).toEqual([2, 4, 8, 10]);
});

test("a clock that stands still or was asked first late gives nothing for the past", () => {
  const budget = aRecoveryBudget();
  expect(drain(budget, 1_000_000)).toBe(10);
  expect(drain(budget, 1_000_000)).toBe(0);
});
