import { describe, expect, test } from "vitest";
import {
  aBudgetedPlane,
  amountsOf,
  type BudgetedPlane,
  RESERVE,
} from "../../../test/builders/a-budgeted-plane.ts";
import { putting, WORKLOAD } from "../../../test/builders/a-plane.ts";
import { PlaceHarness } from "../../../test/builders/a-place-harness.ts";
import { aWorkloadSpec } from "../../../test/builders/a-workload.ts";
import type { Decision } from "../protocol/decision.ts";
import { type ObjectKey, workloadKey } from "../model/ids.ts";
import { overrideKey } from "../model/override.ts";
import { isAhead, keyOf } from "../runner/controller.ts";
import { factsOf } from "../observe/facts.ts";

const OTHER = workloadKey("payments", "aaa");

class Harness extends PlaceHarness {
  /** As the runner does: each key is looked at before the next is taken, and may take its turn. */
  turn(): readonly (readonly [ObjectKey, Decision])[] {
    const looks: [ObjectKey, Decision][] = [];
    for (const next of this.place.order!(new Set([OTHER, WORKLOAD]), this.view)) {
      const key = keyOf(next);
      const decision = this.look(key, isAhead(next));
      if (decision.kind !== "take-turn") looks.push([key, decision]);
    }
    return looks;
  }
}

/** What was asked for: where, on which budget, and whether in kept room. */
function asked(decision: Decision | undefined): readonly (readonly (string | boolean)[])[] {
  const [intent] = decision?.kind === "propose" ? decision.intents : [];
  const bindings =
    intent?.kind === "bind-all" ? intent.bindings : intent?.kind === "bind" ? [intent] : [];
  return bindings.map(({ node, budget, spare }) => [node, budget ?? "none", spare !== undefined]);
}

/** Somebody else waits, too, and there is room for nobody but on what is kept. */
function crowded(recovery = RESERVE): BudgetedPlane {
  const plane = aBudgetedPlane(recovery);
  const spec = aWorkloadSpec({ cpuMillis: 100, memoryMiB: 10 });
  plane.must(putting(OTHER, { kind: "Workload", spec }));
  const indexes = [{ index: 0, incarnation: 1 }];
  plane.must({ kind: "enqueue", workload: OTHER, generation: 1, indexes }, { role: "admit" });
  for (const name of ["away-2", "away-3"]) plane.resize(name, 50);
  return plane;
}

describe("a recovery with a budget", () => {
  test("goes before all turns, and a budget pays for every place it gets there [BU8] [RV8]", () => {
    const plane = crowded();
    plane.resize("away-3", 600);
    plane.grant("us-1");
    const [first, second] = new Harness(plane).turn();
    expect(first?.[0]).toBe(WORKLOAD);
    expect(asked(first?.[1])).toEqual([
      ["away-3", "us-1", false],
      ["away-1", "us-1", true],
    ]);
    expect(second?.[0]).toBe(OTHER);
    expect(first?.[1]).toMatchObject({
      because: {
        summary:
          "away-3 scores highest for api.1.0 on recovery budget us-1 (granted by ana until 1970-01-01T00:01:00Z; 0 of 1 cpu left); 2 replicas placed in all",
      },
    });
  });

  test("finds nothing there that no budget pays for: not elsewhere, and not more than is left [BU8] [BU5]", () => {
    const plane = crowded();
    plane.joined("mars-1", { region: "mars", cpuMillis: 4_000 });
    plane.grant("us-1", { amounts: amountsOf(1) });
    const [first] = new Harness(plane).turn();
    expect(first?.[0]).toBe(WORKLOAD);
    expect(asked(first?.[1])).toEqual([["away-1", "us-1", true]]);
  });

  const strangers = [
    { tenants: ["ads"] },
    { classes: ["high"] },
    { region: "eu" },
    { amounts: { ...amountsOf(1), cpuMillis: 499 } },
  ];
  test.each(strangers)("of others takes its normal turn: %j [BU8]", (of) => {
    const plane = crowded();
    plane.joined("mars-1", { region: "mars", cpuMillis: 4_000 });
    plane.grant("us-1", of);
    const looks = new Harness(plane).turn();
    expect(looks.map(([key]) => key)).toEqual([OTHER, WORKLOAD]);
    expect(asked(looks[1]?.[1])).toEqual([
      ["mars-1", "none", false],
      ["mars-1", "none", false],
    ]);
  });

  test("that an override holds back takes its turn behind those that matter more [BU8]", () => {
    const plane = crowded();
    plane.grant("us-1");
    plane.must(
      putting(overrideKey("calm"), {
        kind: "Override",
        spec: {
          action: "freeze-tenant",
          target: { tenant: "payments" },
          reason: "calm",
          ttlMs: 60_000,
        },
      }),
    );
    const looks = new Harness(plane).turn();
    expect(looks.map(([key]) => key)).toEqual([OTHER, WORKLOAD]);
    expect(looks[1]?.[1]).toMatchObject({ kind: "wait", reason: "override" });
  });

  test("takes its turn once its window was said to be over, and then kept room on the budget [BU8] [BU4]", () => {
    const plane = crowded({ ...RESERVE, fairnessWindowMs: 10_000 });
    plane.grant("us-1");
    plane.nowMs += 10_000;
    plane.recover();
    expect(plane.recovery.under).toMatchObject({ inTurn: true });
    plane.resize("away-3", 700);
    const looks = new Harness(plane).turn();
    expect(looks.map(([key]) => key)).toEqual([OTHER, WORKLOAD]);
    expect(asked(looks[1]?.[1])).toEqual([
      ["away-3", "none", false],
      ["away-1", "us-1", true],
    ]);
  });

  test("goes first as ever where recoveries are not budgeted [RV8] [BU8]", () => {
    const plane = crowded();
    plane.rules("r-2", undefined);
    const [first] = new Harness(plane).turn();
    expect(first?.[0]).toBe(WORKLOAD);
    expect(asked(first?.[1])).toEqual([
      ["away-1", "none", true],
      ["away-1", "none", true],
    ]);
  });

  test("is no place for one that is not needed: kept room is for what was lost [BU5]", () => {
    const plane = crowded();
    const recovery = { withinMs: 60_000, replicas: 1, regions: ["us"] };
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10, recovery });
    plane.grant("us-1");
    const harness = new Harness(plane);
    expect(asked(harness.look())).toEqual([["away-1", "us-1", true]]);
  });
});

describe("kept room that nothing pays for", () => {
  test("is waited for, with what is in the way, who can help, and what ends it [BU4] [RN6]", () => {
    const plane = crowded();
    const first = new Harness(plane).look();
    expect(first).toMatchObject({ kind: "wait", reason: "recovery-budget" });
    const summary = first.kind === "wait" ? first.because.summary : "";
    expect(summary).toContain("the recovery reserve on away-1");
    expect(summary).toContain("there is no recovery budget in us; grant one with");
    plane.grant("us-1", { amounts: { ...amountsOf(1), cpuMillis: 499 } });
    const second = new Harness(plane).look();
    expect(second).toMatchObject({
      reason: "recovery-budget",
      wakes: expect.arrayContaining(["budgets", "nodes"]),
      because: {
        rejected: {
          "recovery-budget": {
            count: 1,
            example: expect.stringContaining("has too little left: cpuMillis 499 of 500"),
          },
        },
      },
    });
  });

  test("is waited for until the policy grants, where it will [BU3] [BU4]", () => {
    const grants = [{ region: "us", amounts: amountsOf(2), ttlMs: 60_000 }];
    const decision = new Harness(crowded({ ...RESERVE, grants })).look();
    expect(decision.kind === "wait" && decision.because.summary).toContain(
      "the policy in force grants one as soon as the recovery reserve has room",
    );
  });

  test("is looked at again when a budget, a binding on one, a raise or the policy changes [BU4] [RN6]", () => {
    const plane = crowded();
    plane.grant("us-1");
    plane.bindOn(0, "away-1", { budget: "us-1", ...plane.spare(0) });
    const replica = plane.replica(0);
    const freed = { ...replica, status: { ...replica.status, node: undefined } };
    for (const [before, after] of [
      [undefined, plane.budget("us-1")!],
      [plane.policy(), plane.policy()],
      [replica, freed],
    ] as const) {
      const { key } = after;
      expect(factsOf({ key, before, after })).toContain("budgets");
    }
    expect(factsOf({ key: replica.key, before: replica, after: replica })).not.toContain("budgets");
  });
});
