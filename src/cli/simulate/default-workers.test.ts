import { expect, test } from "vitest";
import { defaultWorkers } from "./default-workers.ts";

test("a few seeds run on one thread, many on one thread for each processor", () => {
  expect(defaultWorkers(1, 8)).toBe(1);
  expect(defaultWorkers(49, 8)).toBe(1);
  expect(defaultWorkers(100, 8)).toBe(4);
  expect(defaultWorkers(10_000, 8)).toBe(8);
  expect(defaultWorkers(10_000, 1)).toBe(1);
});
