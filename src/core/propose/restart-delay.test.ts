import { describe, expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { RestartDelays } from "./restart-delay.ts";

const failed = (failures: number, incarnation = failures) =>
  aReplica({ stage: "failed", failures, incarnation, stageSinceMs: 999_999 });

describe("the delay before a failed replica's next incarnation", () => {
  test("doubles with every failure and ends at five minutes", () => {
    const waits = [1, 2, 3, 9, 10, 500].map((failures) =>
      new RestartDelays().dueMs(failed(failures), 0),
    );
    expect(waits).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  });

  test("counts from when the failure was first seen, on the observer's own clock [CL1]", () => {
    const delays = new RestartDelays();
    expect(delays.dueMs(failed(1), 5_000)).toBe(6_000);
    expect(delays.dueMs(failed(1), 5_900)).toBe(6_000);
  });

  test("counts anew for every incarnation, and once it was forgotten", () => {
    const delays = new RestartDelays();
    delays.dueMs(failed(1), 0);
    expect(delays.dueMs(failed(2), 5_000)).toBe(7_000);
    delays.forget(failed(2).key);
    expect(delays.dueMs(failed(2), 9_000)).toBe(11_000);
  });
});
