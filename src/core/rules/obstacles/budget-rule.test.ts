import { expect, test } from "vitest";
import {
  aBudgetedPlane,
  amountsOf,
  type BudgetedPlane,
} from "../../../../test/builders/a-budgeted-plane.ts";
import { whatIf, whyNot } from "../../explain/what-if.ts";

/** The only room that is left is what is kept on away-1. */
function lost(): BudgetedPlane {
  const plane = aBudgetedPlane();
  for (const name of ["away-2", "away-3"]) plane.cordon(name);
  return plane;
}

const asked = (plane: BudgetedPlane, index = 0) =>
  whyNot(plane.ledger.objects, plane.replica(index), "away-1");

const GRANT = { kind: "grant-budget", region: "us", amounts: amountsOf(1) };

test("kept room that no budget pays for is told as such, and that a grant would help [EX1] [EX2]", () => {
  const plane = lost();
  expect(asked(plane)).toMatchObject([
    { rule: "recovery-budget", code: "budget-missing", what: "us", actual: "none", remedy: GRANT },
  ]);
  const { suggestions, fitsNow } = whatIf(plane.ledger.objects, plane.replica(0));
  expect(fitsNow).toBeUndefined();
  const one = suggestions.find(({ node }) => node === "away-1");
  expect(one?.remedies).toEqual([GRANT]);
});

test("with a budget that pays nothing keeps it away, and one that is used up is named [EX1]", () => {
  const plane = lost();
  plane.grant("b-1", { amounts: amountsOf(1) });
  expect(asked(plane)).toEqual([]);
  expect(whatIf(plane.ledger.objects, plane.replica(0)).fitsNow).toBe("away-1");
  plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) });
  expect(asked(plane, 1)).toMatchObject([
    {
      rule: "recovery-budget",
      actual: expect.stringMatching(/^recovery budget b-1 \(granted by ana/),
    },
  ]);
});

test("free room needs no budget, and where recoveries are not budgeted the recovery reserve needs none [EX1]", () => {
  const open = aBudgetedPlane();
  const on = (name: string) => whyNot(open.ledger.objects, open.replica(0), name);
  expect(on("away-2")).toEqual([]);
  open.rules("r-2", undefined);
  expect(on("away-1")).toEqual([]);
});
