import { describe, expect, it } from "vitest";
import {
  type RecoveryBudgetDraft,
  budgetOf,
  emptyRecoveryBudget,
  grantCommand,
} from "./recovery-budget-draft.ts";

const draft = (of: Partial<RecoveryBudgetDraft> = {}): RecoveryBudgetDraft => ({
  ...emptyRecoveryBudget("eu-west"),
  cpu: "8",
  memory: "16Gi",
  reason: "zone lost",
  ...of,
});

describe("a budget that is typed", () => {
  it("is named after its region and who grants it, and leaves out what was left empty", () => {
    expect(budgetOf(draft(), "Ana Díaz")).toEqual({
      apiVersion: "berth.dev/v1",
      kind: "RecoveryBudget",
      metadata: { name: "eu-west-ana-d-az" },
      spec: { region: "eu-west", cpu: "8", memory: "16Gi", ttl: "30m", reason: "zone lost" },
    });
  });

  it("is the same as a command", () => {
    const whole = draft({ devices: "2", tenants: "shop, bank", classes: "gold", name: "b-1" });
    expect(budgetOf(whole, "ana").spec).toMatchObject({
      devices: "2",
      tenants: ["shop", "bank"],
      classes: ["gold"],
    });
    expect(grantCommand(whole)).toBe(
      "berth budget grant eu-west --cpu 8 --memory 16Gi --devices 2 --tenant shop --tenant bank --class gold --ttl 30m --reason 'zone lost' --name b-1",
    );
  });
});
