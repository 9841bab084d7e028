import { readConfigureGlobal } from "fast-check";
import { expect, test } from "vitest";

test("properties draw the same cases in every run, unless the environment names another seed", () => {
  const seed = Number(process.env["BERTH_PROPERTY_SEED"] ?? 1);
  expect(readConfigureGlobal()).toEqual({ seed });
});
