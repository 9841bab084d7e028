import { expect, test } from "vitest";
import {
  backoffMs,
  OPERATION_ATTEMPTS,
  OPERATION_DEADLINE_MS,
  REPLY_TIMEOUT_MS,
} from "./limits.ts";

test("the pause doubles with every failure, between half and all of its length, up to ten seconds", () => {
  const rows = [1, 2, 3, 7, 8, 50].map((failures) => [
    backoffMs(failures, 0),
    backoffMs(failures, backoffMs(failures, 0)),
  ]);
  expect(rows).toEqual([
    [50, 100],
    [100, 200],
    [200, 400],
    [3_200, 6_400],
    [5_000, 10_000],
    [5_000, 10_000],
  ]);
});

test("the jitter never takes a pause out of its bounds", () => {
  for (const jitter of [0, 1, 49, 50, 51, 12_345, 0xffff_ffff]) {
    expect(backoffMs(1, jitter)).toBeGreaterThanOrEqual(50);
    expect(backoffMs(1, jitter)).toBeLessThanOrEqual(100);
  }
});

test("an operation gets six attempts and thirty seconds, and all attempts fit into them [RN3]", () => {
  expect([OPERATION_ATTEMPTS, OPERATION_DEADLINE_MS]).toEqual([6, 30_000]);
  let atMs = 0;
  for (let failures = 1; failures < OPERATION_ATTEMPTS; failures += 1) {
    // An unanswered command, an unanswered look-up, and the longest pause.
    atMs += 2 * REPLY_TIMEOUT_MS + 2 * backoffMs(failures, 0);
  }
  expect(atMs).toBeLessThan(OPERATION_DEADLINE_MS);
});
