/** A tenant that asks for more tiny replicas than a node starts at once. */
import { expect, it } from "vitest";
import { tell } from "./tell.ts";

it("scenario: a crowd on one node is started at a pace, and the lease goes first [LB4] [LB6]", () => {
  const told = tell("crowd-on-one-node");
  expect(told.surprises).toEqual([]);
  expect(told.bindings()).toHaveLength(90);
});
