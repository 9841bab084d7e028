import { expect, test } from "vitest";
import {
  aBudgetedPlane,
  amountsOf,
  type BudgetedPlane,
  RESERVE,
} from "../../../test/builders/a-budgeted-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { KINDS, policyKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { createGrantBudget } from "./grant-budget.ts";

const GRANT = { region: "us", amounts: amountsOf(2), ttlMs: 60_000 };
const GRANTING = { ...RESERVE, grants: [{ ...GRANT, tenants: ["ads"] }, GRANT] };
const POLICY = policyKey("default");

function look(plane: BudgetedPlane): Decision {
  const controller = createGrantBudget();
  const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
  const view = aView(controller, all, plane.ledger.revision);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  return controller.reconcile(POLICY, view, aLook(1_000));
}

/** What it proposes is what the authority takes. */
function carriedOut(plane: BudgetedPlane): string {
  const decision = look(plane);
  const [intent] = decision.kind === "propose" ? decision.intents : [];
  return intent === undefined
    ? decision.kind
    : plane.sendAs("grant-budget", intent, "grant-budget");
}

test("the policy grants a budget once while a workload recovers that it is for [BU3]", () => {
  const plane = aBudgetedPlane(GRANTING);
  expect(look(plane)).toMatchObject({
    kind: "propose",
    intents: [
      {
        kind: "put",
        key: "RecoveryBudget//us-1",
        desired: { kind: "RecoveryBudget", spec: { ...GRANT, reason: "recovery of payments/api" } },
        expect: { revision: 0 },
      },
    ],
    because: { summary: expect.stringContaining("us-1 is granted in us by policy revision r-1") },
  });
  expect(carriedOut(plane)).toBe("committed");
  expect(look(plane)).toEqual({ kind: "settled" });
});

test("the next one has an unused name, though people may have taken it [BU3]", () => {
  const plane = aBudgetedPlane(GRANTING);
  expect(carriedOut(plane)).toBe("committed");
  plane.withdraw("us-1");
  plane.grant("us-2", { amounts: amountsOf(1) });
  expect(carriedOut(plane)).toBe("committed");
  expect(plane.budget("us-3")).toBeDefined();
  expect(plane.policy().status.granted).toBe(3);
});

test("where the reserve has no room it waits for what gives some back [BU2] [BU3]", () => {
  const plane = aBudgetedPlane(GRANTING);
  plane.grant("b-1", { amounts: amountsOf(3) });
  expect(look(plane)).toMatchObject({
    kind: "wait",
    reason: "recovery-budget",
    wakes: ["budgets"],
    because: { summary: expect.stringContaining("budget b-1 (granted by ana until") },
  });
  plane.withdraw("b-1");
  expect(carriedOut(plane)).toBe("committed");
});

test("nothing is granted without a recovery, and nothing where nothing is granted by itself [BU3]", () => {
  expect(look(aBudgetedPlane(RESERVE))).toEqual({ kind: "settled" });
  const plane = aBudgetedPlane(GRANTING);
  const recovery = { withinMs: 60_000, replicas: 2, regions: ["us"] };
  plane.putDesired({ replicas: 0, cpuMillis: 500, memoryMiB: 10, recovery });
  plane.recover();
  expect(look(plane)).toEqual({ kind: "settled" });
});
