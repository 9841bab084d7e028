import { describe, expect, test } from "vitest";
import {
  aBudgetedPlane,
  amountsOf,
  type BudgetedPlane,
} from "../../../../test/builders/a-budgeted-plane.ts";
import { indexKey } from "../../../../test/builders/a-plane.ts";
import { NOTHING } from "../../model/amounts.ts";

const ON = { budget: "b-1" };

function granted(of: Parameters<BudgetedPlane["grant"]>[1] = {}): BudgetedPlane {
  const plane = aBudgetedPlane();
  expect(plane.grant("b-1", of)).toBe("committed");
  return plane;
}

const bindAll = (
  plane: BudgetedPlane,
  ...bindings: readonly ReturnType<BudgetedPlane["binding"]>[]
): string => plane.sendAs("place-1", { kind: "bind-all", bindings }, "place");

const spentOf = (plane: BudgetedPlane, name = "b-1") => plane.ledger.objects.budgets.spent(name);

describe("room that is kept", () => {
  test("is taken on a budget only, while recoveries are budgeted [BU4]", () => {
    const plane = granted();
    expect(plane.bindOn(0, "away-1", plane.spare(0))).toBe("budget-missing");
    plane.rules("r-2", undefined);
    expect(plane.bindOn(0, "away-1", plane.spare(0))).toBe("committed");
    plane.activate("r-1");
    expect(plane.bindOn(1, "away-1", plane.spare(0))).toBe("budget-missing");
    expect(plane.bindOn(1, "away-1", { ...plane.spare(0), ...ON })).toBe("committed");
  });

  test("is not what a budget is for alone: ordinary room may be paid for, or not [BU4] [BU5]", () => {
    const plane = granted();
    expect(plane.bindOn(0, "away-2", ON)).toBe("committed");
    expect(plane.bindOn(1, "away-3")).toBe("committed");
    expect(plane.replica(0).status.budget).toBe("b-1");
    expect("budget" in plane.replica(1).status).toBe(false);
  });
});

describe("a bind on a budget", () => {
  test("names one that is there [BU5]", () => {
    expect(aBudgetedPlane().bindOn(0, "away-2", ON)).toBe("no-such-object");
  });

  const strangers: readonly [title: string, of: Parameters<BudgetedPlane["grant"]>[1]][] = [
    ["another region", { region: "eu" }],
    ["another tenant", { tenants: ["ads"] }],
    ["another class", { classes: ["high"] }],
  ];
  test.each(strangers)("is of no budget of %s [BU5]", (_, of) => {
    expect(granted(of).bindOn(0, "away-2", ON)).toBe("budget-not-for");
  });

  test("is of one that is for its tenant and others [BU5]", () => {
    expect(granted({ tenants: ["ads", "payments"] }).bindOn(0, "away-2", ON)).toBe("committed");
  });

  test("is of one that is in force, to the millisecond [BU5] [BU1]", () => {
    const plane = granted();
    plane.nowMs = 59_999;
    expect(plane.bindOn(0, "away-2", ON)).toBe("committed");
    plane.nowMs = 60_000;
    expect(plane.bindOn(1, "away-2", ON)).toBe("budget-over");
  });

  test("finds enough left in every amount [BU5]", () => {
    const plane = granted({ amounts: { ...amountsOf(2), memoryMiB: 19 } });
    expect(plane.bindOn(0, "away-2", ON)).toBe("committed");
    expect(plane.bindOn(1, "away-2", ON)).toBe("budget-spent");
  });

  test("is of a workload in recovery and needs one more [BU5]", () => {
    const plane = granted({ amounts: amountsOf(4) });
    plane.putDesired({
      replicas: 3,
      cpuMillis: 500,
      memoryMiB: 10,
      recovery: { withinMs: 60_000, replicas: 2, regions: ["us"] },
    });
    plane.queued(2, 1);
    for (const index of [0, 1]) expect(plane.bindOn(index, "away-2", ON)).toBe("committed");
    const third = { ...plane.binding(2, "away-3", ON), incarnation: 1 };
    expect(plane.sendAs("place-1", { kind: "bind", ...third }, "place")).toBe("budget-not-for");
    const unpaid = { ...plane.binding(2, "away-3"), incarnation: 1 };
    expect(plane.sendAs("place-1", { kind: "bind", ...unpaid }, "place")).toBe("committed");
  });

  test("counts those before it in the same command: what they spend, and that they are there [BU5] [MN2]", () => {
    const plane = granted({ amounts: amountsOf(1) });
    const [first, second] = [plane.binding(0, "away-2", ON), plane.binding(1, "away-2", ON)];
    expect(bindAll(plane, first, second)).toBe("budget-spent");
    const third = plane.binding(1, "away-3");
    expect(bindAll(plane, first, third)).toBe("committed");

    const needy = granted({ amounts: amountsOf(4) });
    const recovery = { withinMs: 60_000, replicas: 1, regions: ["us"] };
    needy.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10, recovery });
    expect(bindAll(needy, needy.binding(0, "away-2"), needy.binding(1, "away-2", ON))).toBe(
      "budget-not-for",
    );
    expect(bindAll(needy, needy.binding(0, "away-2", ON), needy.binding(1, "away-2"))).toBe(
      "committed",
    );
  });

  test("is no preemption: no replica leaves for a recovery [BU5]", () => {
    const plane = granted();
    const ask = { kind: "preempt", victims: [], holdMs: 1_000 } as const;
    const preempt = { ...ask, ...plane.binding(0, "away-2", ON) };
    expect(plane.sendAs("preempt", preempt, "preempt")).toBe("budget-not-for");
  });
});

describe("what is spent", () => {
  test("is what the live bindings ask for, and comes back once with the end of each [BU6]", () => {
    const plane = granted();
    for (const index of [0, 1]) plane.bindOn(index, "away-2", ON);
    expect(spentOf(plane)).toEqual(amountsOf(2));
    const { incarnation, session } = plane.replica(0).status;
    const report = {
      kind: "report",
      replica: indexKey(0),
      incarnation,
      session,
      node: "away-2",
    } as const;
    plane.must({ ...report, stage: "starting" });
    expect(spentOf(plane)).toEqual(amountsOf(2));
    plane.must({ ...report, stage: "failed" });
    expect(spentOf(plane)).toEqual(amountsOf(1));
    // The name stays for whoever asks, and spends nothing.
    expect(plane.replica(0).status).toMatchObject({ node: undefined, budget: "b-1" });
    plane.queued(0, 3);
    expect(spentOf(plane)).toEqual(amountsOf(1));
    const again = { ...plane.binding(0, "away-2"), incarnation: 3 };
    expect(plane.sendAs("place-1", { kind: "bind", ...again }, "place")).toBe("committed");
    expect(plane.replica(0).status.budget).toBeUndefined();
    expect(spentOf(plane)).toEqual(amountsOf(1));
  });

  test("is the same in an index that was built from the objects alone [BU6]", () => {
    const plane = granted();
    plane.bindOn(0, "away-2", ON);
    const { objects } = plane.ledger;
    const replica = plane.replica(0);
    objects.fold({ key: replica.key, before: replica, after: undefined });
    expect(spentOf(plane)).toEqual(NOTHING);
    objects.fold({ key: replica.key, before: undefined, after: replica });
    objects.fold({ key: replica.key, before: undefined, after: replica });
    expect(spentOf(plane)).toEqual(amountsOf(1));
  });
});
