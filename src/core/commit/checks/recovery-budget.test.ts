import { describe, expect, test } from "vitest";
import {
  aBudgetedPlane,
  aRecoveryBudgetSpec,
  amountsOf,
  type BudgetedPlane,
  RESERVE,
} from "../../../../test/builders/a-budgeted-plane.ts";
import { anOverrideSpec } from "../../../../test/builders/an-override.ts";
import { putting } from "../../../../test/builders/a-plane.ts";
import { recoveryBudgetKey, type RecoveryBudgetSpec } from "../../model/recovery-budget.ts";
import { overrideKey } from "../../model/override.ts";
import { heldOfReserve } from "../../rules/recovery/recovery-budgets-now.ts";

const GRANT = { region: "us", amounts: amountsOf(2), ttlMs: 60_000 };
const GRANTING = { ...RESERVE, grants: [GRANT] };

const grantByPolicy = (
  plane: BudgetedPlane,
  name: string,
  of: Partial<RecoveryBudgetSpec> = {},
): string =>
  plane.grant(name, { reason: "recovery of payments/api", ...of }, "grant-budget", "grant-budget");

const raise = (plane: BudgetedPlane, amount: number, name = "up"): string => {
  const spec = anOverrideSpec({ action: "raise-budget", target: { region: "us" }, amount });
  return plane.sendAs("ana", putting(overrideKey(name), { kind: "Override", spec }));
};

describe("what a budget has to say", () => {
  const many = Array.from({ length: 65 }, (_, at) => `t${100 + at}`);
  const cases: readonly [title: string, spec: Partial<RecoveryBudgetSpec>][] = [
    ["no region", { region: "" }],
    ["no reason", { reason: " " }],
    ["a reason that nobody reads to its end", { reason: "x".repeat(501) }],
    ["no time", { ttlMs: 0 }],
    ["more than a week", { ttlMs: 7 * 86_400_000 + 1 }],
    ["nothing to spend", { amounts: amountsOf(0) }],
    ["less than nothing", { amounts: { ...amountsOf(1), memoryMiB: -1 } }],
    ["nobody to spend it", { tenants: [] }],
    ["a tenant twice", { tenants: ["payments", "payments"] }],
    ["tenants in another order", { tenants: ["payments", "ads"] }],
    ["more tenants than anybody can tell apart", { tenants: many }],
    ["a class that cannot be one", { classes: ["High !"] }],
  ];
  test.each(cases)("%s is refused [BU1]", (_, spec) => {
    expect(aBudgetedPlane().grant("b-1", spec)).toBe("bad-object");
  });
});

describe("whose a budget is", () => {
  test("only its owner moves the end, and nothing else of it changes [BU1]", () => {
    const plane = aBudgetedPlane();
    expect(plane.grant("b-1")).toBe("committed");
    expect(plane.budget("b-1")!.status).toEqual({
      owner: "ana",
      sinceMs: 0,
      untilMs: 60_000,
      extensions: 0,
    });
    expect(plane.grant("b-1", { ttlMs: 90_000 }, "bob")).toBe("budget-owned");
    expect(plane.grant("b-1", { ttlMs: 90_000 })).toBe("committed");
    expect(plane.budget("b-1")!.status).toMatchObject({ untilMs: 90_000, extensions: 1 });
    for (const other of [
      { region: "eu" },
      { amounts: amountsOf(1) },
      { tenants: ["payments"] },
      { classes: ["high"] },
    ]) {
      expect(plane.grant("b-1", { ttlMs: 90_000, ...other })).toBe("budget-fixed");
    }
    expect(plane.withdraw("b-1", "bob")).toBe("budget-owned");
    expect(plane.withdraw("b-1", "ana", "admit")).toBe("not-owner");
  });

  test("one that is over is not brought back, and none is made to have ended [BU1]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1");
    plane.nowMs += 30_000;
    expect(plane.grant("b-1", { ttlMs: 20_000 })).toBe("budget-over");
    plane.nowMs = 60_000;
    expect(plane.grant("b-1", { ttlMs: 90_000 })).toBe("budget-over");
  });
});

describe("all budgets together", () => {
  test("never come to more than the reserve, in no amount [BU2]", () => {
    const plane = aBudgetedPlane();
    expect(plane.grant("b-1", { amounts: amountsOf(3) })).toBe("committed");
    expect(plane.grant("b-2")).toBe("budget-reserve");
    expect(plane.grant("b-2", { amounts: { ...amountsOf(1), memoryMiB: 11 } })).toBe(
      "budget-reserve",
    );
    expect(plane.grant("b-2", { amounts: amountsOf(1), region: "eu" })).toBe("committed");
  });

  test("what is spent of one that has ended still counts, and no more than that [BU2] [BU6]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1", { amounts: amountsOf(4) });
    expect(plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) })).toBe("committed");
    plane.withdraw("b-1");
    expect(heldOfReserve(plane.ledger.objects)).toEqual(amountsOf(1));
    expect(plane.grant("b-2", { amounts: amountsOf(4) })).toBe("budget-reserve");
    expect(plane.grant("b-2", { amounts: amountsOf(3) })).toBe("committed");
  });

  test("one whose time has passed counts until that was said: no clock has a say [BU2]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1", { amounts: amountsOf(4) });
    plane.nowMs = 60_000;
    expect(plane.grant("b-2")).toBe("budget-reserve");
    expect(plane.expire("b-1")).toBe("committed");
    expect(plane.grant("b-2")).toBe("committed");
  });

  test("there is none without a reserve, and a smaller one takes nothing back [BU2]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1");
    plane.rules("r-2", { reserve: amountsOf(1) });
    expect(plane.budget("b-1")!.spec.amounts).toEqual(amountsOf(2));
    expect(plane.grant("b-2", { amounts: amountsOf(1) })).toBe("budget-reserve");
    expect(plane.grant("b-1", { ttlMs: 90_000 })).toBe("committed");
    plane.rules("r-3", undefined);
    expect(plane.grant("b-2", { amounts: amountsOf(1) })).toBe("budget-reserve");
    expect(plane.bindOn(0, "away-2", { budget: "b-1" })).toBe("committed");
  });

  test("outlive a policy that is taken back, and the activation says so [BU2] [PY7]", () => {
    const plane = aBudgetedPlane(GRANTING);
    grantByPolicy(plane, "us-1");
    plane.rules("r-2", { reserve: amountsOf(8) });
    plane.grant("b-2");
    plane.activate("r-1");
    expect(plane.policy().status).toMatchObject({ granted: 1 });
    expect(plane.policy().status.history!.at(-1)).toMatchObject({ to: "r-1", budgetsKept: 2 });
    expect(plane.grant("b-3")).toBe("budget-reserve");
  });
});

describe("the policy's own budgets", () => {
  test("are as a grant of the revision in force says, and count their names [BU3]", () => {
    const plane = aBudgetedPlane(GRANTING);
    expect(grantByPolicy(plane, "us-1", { amounts: amountsOf(1) })).toBe("grant-not-due");
    expect(grantByPolicy(plane, "us-1", { ttlMs: 30_000 })).toBe("grant-not-due");
    expect(grantByPolicy(plane, "eu-1", { region: "eu" })).toBe("grant-not-due");
    for (const name of ["us", "us-0", "us-x", "mine-1"]) {
      expect(grantByPolicy(plane, name)).toBe("grant-not-due");
    }
    expect(grantByPolicy(plane, "us-1")).toBe("committed");
    expect(plane.budget("us-1")!.status).toMatchObject({
      owner: "grant-budget",
      grant: { policyRevision: "r-1", index: 0 },
    });
    expect(plane.policy().status.granted).toBe(1);
    expect(grantByPolicy(plane, "us-2")).toBe("grant-not-due");
    plane.nowMs = 60_000;
    plane.expire("us-1");
    expect(grantByPolicy(plane, "us-1")).toBe("grant-not-due");
    expect(grantByPolicy(plane, "us-3")).toBe("committed");
  });

  test("are made only while a workload recovers that they are for [BU3]", () => {
    const strangers = { ...GRANT, tenants: ["ads"] };
    const elsewhere = { ...GRANT, region: "mars" };
    const plane = aBudgetedPlane({ ...RESERVE, grants: [strangers, elsewhere, GRANT] });
    expect(grantByPolicy(plane, "us-1", strangers)).toBe("grant-not-due");
    expect(grantByPolicy(plane, "mars-1", elsewhere)).toBe("grant-not-due");
    plane.rules("r-2", undefined);
    expect(grantByPolicy(plane, "us-1")).toBe("grant-not-due");
    plane.activate("r-1");
    plane.putDesired({ replicas: 0, cpuMillis: 500, memoryMiB: 10, recovery: aRecovery });
    plane.recover();
    expect(grantByPolicy(plane, "us-1")).toBe("grant-not-due");
  });

  test("are made by no other controller, and that one makes nothing else [BU3]", () => {
    const plane = aBudgetedPlane(GRANTING);
    expect(plane.grant("us-1", {}, "admit", "admit")).toBe("not-owner");
    const tenant = putting("Tenant//ads" as never, { kind: "Tenant", spec: { displayName: "" } });
    expect(plane.sendAs("grant-budget", tenant, "grant-budget")).toBe("not-owner");
  });

  test("cannot be extended, and any person may withdraw them [BU1] [BU7]", () => {
    const plane = aBudgetedPlane(GRANTING);
    grantByPolicy(plane, "us-1");
    expect(plane.grant("us-1", { ttlMs: 90_000 }, "grant-budget")).toBe("budget-owned");
    expect(grantByPolicy(plane, "us-1", { ttlMs: 90_000 })).toBe("budget-owned");
    expect(plane.withdraw("us-1", "bob")).toBe("committed");
    expect(plane.budget("us-1")).toBeUndefined();
  });
});

const aRecovery = { withinMs: 60_000, replicas: 2, regions: ["us"] };

describe("the end of a budget", () => {
  test("is said when its time is over and not before, by the one controller that does [BU7] [EV1]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1");
    plane.nowMs = 59_999;
    expect(plane.expire("b-1")).toBe("budget-not-over");
    plane.nowMs = 60_000;
    expect(plane.expire("b-1", "expire-override")).toBe("not-owner");
    const { key, meta } = plane.budget("b-1")!;
    const release = { kind: "expire", key, incarnation: meta.generation } as const;
    const told = { kind: "budget-over", budget: key, untilMs: 59_000 } as const;
    const gone = { kind: "owner-gone", owner: key } as const;
    const sent = [
      { ...release, evidence: told },
      { ...release, evidence: gone },
      { ...release, incarnation: 2, evidence: { ...told, untilMs: 60_000 } },
    ].map((ask) => plane.sendAs("expire-budget", ask, "expire-budget"));
    expect(sent).toEqual(["evidence-wrong", "evidence-missing", "generation-changed"]);
    expect(plane.expire("b-1")).toBe("committed");
    expect(plane.budget("b-1")).toBeUndefined();
  });

  test("waits for the last binding on it, whether its time is over or it was withdrawn [BU7]", () => {
    for (const ends of ["over", "withdrawn"]) {
      const plane = aBudgetedPlane();
      plane.grant("b-1");
      plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) });
      plane.nowMs = ends === "over" ? 60_000 : 0;
      expect(ends === "over" ? plane.expire("b-1") : plane.withdraw("b-1")).toBe("committed");
      expect(plane.budget("b-1")!.meta.deletingMs).toBe(plane.nowMs);
      expect(plane.expire("b-1")).toBe("budget-in-use");
      // Nobody takes its finalizer off by hand, and nothing is bound on it.
      const off = {
        ...putting(recoveryBudgetKey("b-1"), {
          kind: "RecoveryBudget",
          spec: aRecoveryBudgetSpec(),
        }),
      };
      plane.sendAs("ana", off);
      expect(plane.budget("b-1")!.meta.finalizers).toEqual(["berth.dev/spent"]);
      expect(plane.bindOn(1, "away-1", { budget: "b-1", ...plane.spare(0) })).toBe("budget-over");
      plane.withdraw("b-1");
      const { incarnation, node, session } = plane.replica(0).status;
      const report = {
        kind: "report",
        replica: plane.replica(0).key,
        incarnation,
        session,
      } as const;
      plane.must({ ...report, node: node!, stage: "failed" });
      expect(plane.expire("b-1")).toBe("committed");
      expect(plane.budget("b-1")).toBeUndefined();
    }
  });

  test("leaves a client's own finalizer to that client [BU7] [OB3]", () => {
    const plane = aBudgetedPlane();
    const desired = putting(recoveryBudgetKey("b-1"), {
      kind: "RecoveryBudget",
      spec: aRecoveryBudgetSpec(),
    });
    plane.sendAs("ana", { ...desired, finalizers: ["ana/audit"] });
    expect(plane.withdraw("b-1")).toBe("committed");
    expect(plane.expire("b-1")).toBe("budget-in-use");
    expect(plane.sendAs("ana", desired)).toBe("committed");
    expect(plane.budget("b-1")).toBeUndefined();
  });
});

describe("raise-budget of a region", () => {
  test("lets more be spent while it holds, and what is beyond stays when it ends [BU9] [OV9]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1", { amounts: amountsOf(1) });
    expect(plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) })).toBe("committed");
    const second = { budget: "b-1", ...plane.spare(0) };
    expect(plane.bindOn(1, "away-1", second)).toBe("budget-spent");
    expect(raise(plane, 100)).toBe("committed");
    expect(plane.bindOn(1, "away-1", second)).toBe("committed");
    plane.sendAs("ana", { kind: "delete", key: overrideKey("up"), expect: {} });
    expect(heldOfReserve(plane.ledger.objects)).toEqual(amountsOf(2));
    expect(plane.grant("b-2", { amounts: amountsOf(3) })).toBe("budget-reserve");
    expect(plane.grant("b-2", { amounts: amountsOf(2) })).toBe("committed");
  });

  test("is over at its end, on the authority's clock, also while it is there [BU9] [OV4]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1", { amounts: { ...amountsOf(1), cpuMillis: 250 }, ttlMs: 90_000 });
    raise(plane, 100);
    plane.nowMs = 60_000;
    expect(plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) })).toBe("budget-spent");
  });

  test("raises nothing beyond the reserve, and several add up [BU9] [BU2]", () => {
    const plane = aBudgetedPlane();
    plane.grant("b-1");
    expect(raise(plane, 101)).toBe("budget-reserve");
    expect(raise(plane, 50)).toBe("committed");
    expect(raise(plane, 51, "up-2")).toBe("budget-reserve");
    expect(raise(plane, 50, "up-2")).toBe("committed");
    expect(plane.grant("b-2", { amounts: amountsOf(1), region: "eu" })).toBe("budget-reserve");
  });

  test("of a region without budgets raises what is granted later [BU9]", () => {
    const plane = aBudgetedPlane();
    expect(raise(plane, 100)).toBe("committed");
    expect(plane.grant("b-1", { amounts: amountsOf(3) })).toBe("budget-reserve");
    expect(plane.grant("b-1", { amounts: amountsOf(2) })).toBe("committed");
  });
});
