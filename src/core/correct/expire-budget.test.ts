import { expect, test } from "vitest";
import { aBudgetedPlane, type BudgetedPlane } from "../../../test/builders/a-budgeted-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { recoveryBudgetKey } from "../model/recovery-budget.ts";
import { KINDS } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { createExpireBudget } from "./expire-budget.ts";

const KEY = recoveryBudgetKey("b-1");

function looks(plane: BudgetedPlane): (now: number) => Decision {
  const controller = createExpireBudget();
  const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
  const view = aView(controller, all, plane.ledger.revision);
  return (now) => controller.reconcile(KEY, view, aLook(now));
}

const RELEASE = {
  kind: "propose",
  intents: [
    { kind: "expire", key: KEY, incarnation: 1, evidence: { kind: "budget-over", budget: KEY } },
  ],
};

test("a budget is said to be over at its end, and it is asked again, but not all the time [BU7]", () => {
  const plane = aBudgetedPlane();
  plane.grant("b-1");
  const look = looks(plane);
  expect(look(10_000)).toMatchObject({ kind: "wait", deadlineMs: 60_000 });
  expect(look(60_000)).toMatchObject(RELEASE);
  expect(look(60_100)).toMatchObject({ kind: "wait", deadlineMs: 65_000 });
  expect(look(65_000)).toMatchObject(RELEASE);
});

test("a clock that is behind keeps it no longer than it was to last, and drift [BU7]", () => {
  const plane = aBudgetedPlane();
  plane.nowMs = 1_000_000;
  plane.grant("b-1");
  expect(looks(plane)(5_000)).toMatchObject({ kind: "wait", deadlineMs: 5_000 + 60_000 + 1_200 });
});

test("one that has ended goes with the last binding on it, and is woken by that [BU7]", () => {
  const plane = aBudgetedPlane();
  plane.grant("b-1");
  plane.bindOn(0, "away-2", { budget: "b-1" });
  plane.withdraw("b-1");
  expect(looks(plane)(1_000)).toMatchObject({
    kind: "wait",
    reason: "recovery-budget",
    wakes: ["budgets"],
  });
  const before = plane.replica(0);
  const { incarnation, session } = before.status;
  const report = {
    kind: "report",
    replica: before.key,
    incarnation,
    session,
    node: "away-2",
  } as const;
  plane.must({ ...report, stage: "failed" });
  expect(looks(plane)(2_000)).toMatchObject(RELEASE);
  const change = { key: before.key, before, after: plane.replica(0) };
  expect(createExpireBudget().keysFor(change, {} as never)).toEqual([KEY]);
  expect(plane.expire("b-1")).toBe("committed");
  expect(looks(plane)(3_000)).toEqual({ kind: "settled" });
});
