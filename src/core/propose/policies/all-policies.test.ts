import { expect, test } from "vitest";
import { ALL_POLICIES, RECOMMENDED_POLICY } from "./all-policies.ts";

test("every policy is registered by its own name, and the recommended one is among them", () => {
  for (const [name, create] of Object.entries(ALL_POLICIES)) expect(create().name).toBe(name);
  expect(ALL_POLICIES).toHaveProperty(RECOMMENDED_POLICY);
});
