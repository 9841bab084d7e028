import { expect, test } from "vitest";
import { REFUSALS } from "./refusals.ts";

test("what no view makes right is refused, and everything else is a conflict [EP1]", () => {
  const refused = Object.entries(REFUSALS)
    .filter(([, { kind }]) => kind === "refused")
    .map(([code]) => code);
  expect(refused.toSorted()).toEqual([
    "bad-object",
    "bad-reading",
    "budget-fixed",
    "budget-owned",
    "capacity-over-ceiling",
    "completions-fixed",
    "evidence-missing",
    "join-used",
    "label-reserved",
    "lender-passed",
    "location-not-allowed",
    "node-fenced",
    "node-not-selected",
    "not-holder",
    "not-owner",
    "object-too-large",
    "operation-reused",
    "override-fixed",
    "override-owned",
    "owned-by-global",
    "plane-fixed",
    "pointer-not-put",
    "pool-fixed",
    "power-missing",
    "preemption-cycle",
    "region-has-plane",
    "region-superseded",
    "revision-immutable",
    "role-escalated",
    "role-ref-fixed",
    "session-ended",
    "terms-not-for",
    "wrong-plane",
  ]);
});

test("every no has a sentence for people", () => {
  for (const { sentence } of Object.values(REFUSALS)) expect(sentence).toMatch(/^[A-Z].+\.$/);
});
