import { expect, test } from "vitest";
import { operationSpace, spaceOfCommit } from "./operation-space.ts";

test.each([
  { actor: { role: "user", name: "ann" }, space: "user:ann" },
  { actor: { role: "user", name: "local", by: { kind: "local" } }, space: "user:local" },
  // Another token of the same user meets what was sent with the first.
  { actor: { role: "user", name: "ann", by: { kind: "user", token: "1f" } }, space: "user:ann" },
  { actor: { role: "agent", name: "agent:a-1" }, space: "agent:a-1" },
  { actor: { role: "agent", name: "controllers" }, space: "agent:controllers" },
  { actor: { role: "user", name: "a-1", by: { kind: "agent" } }, space: "agent:a-1" },
  { actor: { role: "user", name: "ann", by: { kind: "controller" } }, space: "controller:ann" },
  { actor: { role: "place", name: "place-1" }, space: "controllers" },
  { actor: { role: "admit", name: "x", by: { kind: "controller" } }, space: "controllers" },
] as const)("[ID1] operations of $actor are in $space", ({ actor, space }) => {
  expect(operationSpace(actor)).toBe(space);
});

test("[ID1] the beginning of a leadership is no user's operation", () => {
  const actor = { role: "user", name: "plane-1" } as const;
  expect(spaceOfCommit({ actor, command: "lead" })).toBe("controllers");
});
