import { readConfigureGlobal } from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { runs } from "./runs.ts";

afterEach(() => vi.unstubAllEnvs());

test("properties draw the same cases in every run, unless the environment names another seed", () => {
  const seed = Number(process.env["BERTH_PROPERTY_SEED"] ?? 1);
  expect(readConfigureGlobal()).toEqual({ seed });
});

test("the environment also names the seed of the properties that walk through worlds", () => {
  vi.stubEnv("BERTH_PROPERTY_SEED", "7");
  expect(runs(1).seed).toBe(7);
  vi.stubEnv("BERTH_PROPERTY_SEED", "8");
  expect(runs(1).seed).toBe(8);
});
