import { describe, expect, test } from "vitest";
import { aBudgetedPlane, RESERVE } from "../../../../test/builders/a-budgeted-plane.ts";
import {
  aRecoveringPlane,
  RECOVERY,
  type RecoveringPlane,
} from "../../../../test/builders/a-recovering-plane.ts";
import { indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";

const DESIRED = { replicas: 2, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY };

const report = (
  plane: RecoveringPlane,
  index: number,
  stage: "starting" | "ready" | "serving",
): void => {
  const { incarnation, node, session } = plane.replica(index).status;
  plane.must({
    kind: "report",
    replica: indexKey(index),
    incarnation,
    node: node!,
    session,
    stage,
  });
};

describe("a loss", () => {
  test("is one only after as many served as are asked for, and is told once [RV6]", () => {
    const plane = aRecoveringPlane();
    plane.serving({ index: 0, node: "home-1" });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.serving({ index: 1, node: "home-1" });
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery).toEqual({ reached: 2 });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs = 5_000;
    plane.vouchedGone("home-1");
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toEqual({
      beganMs: 5_000,
      lost: 2,
      stage: "lost",
      since: { atMs: 5_000, epoch: 1 },
      spentMs: {},
    });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
  });

  test("is none when the owner wants more, fewer, or another template [RV6]", () => {
    const plane = aRecoveringPlane().up();
    plane.putDesired({ ...DESIRED, replicas: 4, recovery: { ...RECOVERY, replicas: 4 } });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.putDesired({ ...DESIRED, replicas: 1 });
    expect(plane.recovery.reached).toBe(1);
    plane.putDesired(DESIRED);
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery).toEqual({ reached: 2 });
    const rollout = { maxSurge: 0, maxUnavailable: 1, deadlineMs: 1_000 };
    plane.putDesired({ ...DESIRED, rollout, command: ["v2"] });
    const asked = plane.replica(0);
    plane.plant({
      ...asked,
      status: { ...asked.status, stopping: { reason: "rollout", sinceMs: 0 } },
    });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
  });

  test("that grows while it waits at the same stage is told once more [RV6]", () => {
    const plane = aRecoveringPlane();
    plane.joined("home-2", { region: "eu", cpuMillis: 2_000 });
    plane.serving({ index: 0, node: "home-1" });
    plane.serving({ index: 1, node: "home-2" });
    plane.recover();
    plane.vouchedGone("home-1");
    plane.recover();
    expect(plane.recovery.under).toMatchObject({ lost: 1, stage: "lost" });
    plane.nowMs = 10;
    plane.vouchedGone("home-2");
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({ lost: 2, stage: "lost", spentMs: { lost: 10 } });
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
  });

  test("is told by its own controller alone [RV6] [RP1]", () => {
    const plane = aRecoveringPlane().up();
    plane.vouchedGone("home-1");
    const recover = { kind: "recover", workload: WORKLOAD } as const;
    expect(codeOf(plane.send(recover, { role: "place" }))).toBe("not-owner");
  });
});

describe("a recovery", () => {
  test("is over when as many serve, and says how long each stage took [RV6]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    plane.nowMs = 10;
    for (const index of [0, 1]) plane.queued(index, 2);
    plane.recover();
    plane.nowMs = 30;
    for (const index of [0, 1]) plane.bindSpare(index, "away-1", undefined);
    plane.recover();
    plane.nowMs = 60;
    for (const index of [0, 1]) report(plane, index, "starting");
    plane.recover();
    plane.nowMs = 100;
    for (const stage of ["ready", "serving"] as const) report(plane, 0, stage);
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    report(plane, 1, "ready");
    plane.recover();
    plane.nowMs = 150;
    report(plane, 1, "serving");
    plane.recover();
    expect(plane.recovery.under).toBeUndefined();
    expect(plane.recovery.last).toEqual({
      beganMs: 0,
      tookMs: 150,
      lost: 2,
      spentMs: { lost: 10, queued: 20, bound: 30, starting: 40, ready: 50 },
    });
  });

  test("that takes too long is missed, with the stage that took most of the time, and goes on [RV7]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    plane.nowMs = 20_000;
    for (const index of [0, 1]) plane.queued(index, 2);
    plane.recover();
    plane.nowMs = 50_000;
    // Half a minute at a stage is told; it is not late yet.
    plane.recover();
    expect(plane.recovery.under).not.toHaveProperty("missed");
    plane.nowMs = 59_999;
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs = 60_000;
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({ missed: "queued", spentMs: { queued: 40_000 } });
    plane.nowMs = 200_000;
    // Nothing depends on its time any more.
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs = 60_000;
    for (const index of [0, 1]) {
      plane.bindSpare(index, "away-1", undefined);
      for (const stage of ["starting", "ready", "serving"] as const) report(plane, index, stage);
    }
    plane.recover();
    expect(plane.recovery.last).toMatchObject({ tookMs: 60_000, missed: "queued" });
  });

  test("is late also when no commit said so before it was over [RV7]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    plane.nowMs = 61_000;
    for (const index of [0, 1]) {
      plane.queued(index, 2);
      plane.bindSpare(index, "away-1", undefined);
      for (const stage of ["starting", "ready", "serving"] as const) report(plane, index, stage);
    }
    plane.recover();
    expect(plane.recovery.last).toMatchObject({ tookMs: 61_000, missed: "lost" });
  });

  test("counts under a new leadership what that one saw itself, and what was told before [RV6] [CL1]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    plane.nowMs = 50_000;
    for (const index of [0, 1]) plane.queued(index, 2);
    plane.recover();
    plane.nowMs = 7_000_000;
    plane.lead(2);
    plane.nowMs += 9_999;
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs += 1;
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({
      missed: "lost",
      spentMs: { lost: 50_000, queued: 10_000 },
    });
  });

  test("is told how long it lasts every half a minute, so that a new leadership knows of it [RV6]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    plane.nowMs = 29_999;
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs = 30_000;
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({ stage: "lost", spentMs: { lost: 30_000 } });
    plane.nowMs = 7_000_000;
    plane.lead(2);
    plane.nowMs += 30_000;
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({ missed: "lost", spentMs: { lost: 60_000 } });
  });

  test("is in turn once its fairness window is over, and that is said once [BU8] [RV6]", () => {
    const plane = aBudgetedPlane({ ...RESERVE, fairnessWindowMs: 30_000 });
    plane.recover();
    plane.nowMs = 29_999;
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs = 7_000_000;
    plane.lead(2);
    plane.nowMs += 29_999;
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    plane.nowMs += 1;
    expect(codeOf(plane.recover())).toBe("committed");
    expect(plane.recovery.under).toMatchObject({ inTurn: true, spentMs: { queued: 30_000 } });
    expect(plane.recovery.under).not.toHaveProperty("missed");
    expect(codeOf(plane.recover())).toBe("recovery-not-due");
    // Told with its next stage, it stays so.
    plane.bindOn(0, "away-2");
    plane.bindOn(1, "away-2");
    plane.recover();
    expect(plane.recovery.under).toMatchObject({ stage: "bound", inTurn: true });
  });

  test("has five minutes where the policy does not say, and no window where nothing is budgeted [BU8]", () => {
    const recovery = { withinMs: 86_400_000, replicas: 2, regions: ["us"] };
    for (const [rules, code] of [
      [RESERVE, "committed"],
      [undefined, "recovery-not-due"],
    ] as const) {
      const plane = aBudgetedPlane(RESERVE, { recovery });
      if (rules === undefined) plane.rules("r-2", undefined);
      plane.recover();
      plane.nowMs = 299_999;
      plane.recover();
      expect(plane.recovery.under).not.toHaveProperty("inTurn");
      plane.nowMs = 300_000;
      expect(codeOf(plane.recover())).toBe(code);
    }
  });

  test("goes with the objective [RV6]", () => {
    const plane = aRecoveringPlane().up();
    plane.hold(["away-1"]);
    plane.homeLost();
    plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10 });
    // The next hold still has a name of its own.
    expect(plane.recovery).toEqual({ holds: 1 });
  });
});
