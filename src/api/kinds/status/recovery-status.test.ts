import { describe, expect, test } from "vitest";
import { aBudgetedPlane } from "../../../../test/builders/a-budgeted-plane.ts";
import { aRecoveringPlane, RECOVERY } from "../../../../test/builders/a-recovering-plane.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { eventsOf } from "../../events/events-of.ts";
import { recoveryConditions, recoveryText, writeRecoveryStatus } from "./recovery-status.ts";
import type { RecoverySpec } from "../../../core/model/recovery.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import { workloadKind } from "../workload.ts";
import { aWorkload } from "../../../../test/builders/a-workload.ts";

type Shown = ReturnType<typeof aRecoveringPlane>;

const conditions = (plane: Shown) =>
  recoveryConditions(plane.api(), plane.ledger.objects).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  );

const wide = (plane: Shown): string => recoveryText(plane.api(), plane.ledger.objects);

const told = (commits: readonly Commit[]): readonly string[] =>
  commits
    .flatMap((commit) => eventsOf(commit))
    .filter(({ reason }) => reason.startsWith("Recover"))
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);

/** Lost, and back after this time. */
const after = (ms: number): Shown => {
  const plane = aRecoveringPlane().up().homeLost();
  plane.nowMs = ms;
  for (const index of [0, 1]) {
    plane.queued(index, 2);
    plane.bindSpare(index, "away-1", undefined);
    const { incarnation, node, session } = plane.replica(index).status;
    const from = { replica: plane.replica(index).key, incarnation, node: node!, session };
    for (const stage of ["starting", "ready", "serving"] as const) {
      plane.must({ kind: "report", ...from, stage });
    }
  }
  plane.recover();
  return plane;
};

describe("what is shown of a recovery on a budget", () => {
  test("is which one its replicas spend, and that it goes first until its window is over [BU6] [BU8]", () => {
    const plane = aBudgetedPlane();
    const shown = () => writeRecoveryStatus(plane.api(), plane.ledger.objects).recovery;
    expect(shown()).toMatchObject({ current: { goesFirst: true } });
    expect(shown()).not.toHaveProperty("budgets");
    plane.grant("b-1");
    plane.bindOn(0, "away-1", { budget: "b-1", ...plane.spare(0) });
    expect(shown()).toMatchObject({ budgets: ["b-1"] });
    plane.nowMs += 300_000;
    plane.recover();
    expect(shown()).toMatchObject({ current: { goesFirst: false } });
    expect(told([plane.lastCommit])).toContain(
      "Warning RecoveryInTurn: Its fairness window is over: from now on it queues in the normal order.",
    );
  });
});

describe("what is shown of a recovery objective", () => {
  test("is how much room is kept, where, and why not more [RV2]", () => {
    const plane = aRecoveringPlane().up();
    for (const name of ["away-2", "away-3"]) plane.resize(name, 100);
    plane.resize("away-1", 600);
    plane.hold(["away-1"]);
    expect(conditions(plane)).toEqual([
      "RecoveryReserved False RoomMissing: Headroom is reserved for 1 of 2 replicas in us; nodes without headroom: 3 node-full (away-1).",
      "RecoveryInTime True NothingLost: No replica was lost so far.",
    ]);
    expect(wide(plane)).toBe("1m 1/2");
    plane.resize("away-2", 600);
    expect(conditions(plane)[0]).toContain("1 more are being reserved");
    plane.hold(["away-2"]);
    expect(conditions(plane)[0]).toBe(
      "RecoveryReserved True RoomKept: Headroom is reserved for 2 of 2 replicas in us.",
    );
    expect(writeRecoveryStatus(plane.api(), plane.ledger.objects).recovery).toEqual({
      reserved: "2/2",
      rooms: ["away-1", "away-2"],
    });
  });

  test("is what was lost, by when it is to be back, and that it is late [RV6] [RV7]", () => {
    const plane = aRecoveringPlane().up().homeLost();
    expect(wide(plane)).toBe("1m 0/2 lost");
    expect(conditions(plane)[1]).toBe(
      "RecoveryInTime Unknown Recovering: 2 lost, waiting for lost, within 1m.",
    );
    plane.nowMs = 60_000;
    plane.recover();
    expect(wide(plane)).toBe("1m 0/2 late: lost");
    expect(conditions(plane)[1]).toBe(
      "RecoveryInTime False RecoveryMissed: 2 lost, waiting for lost; 1m have passed, most of it in lost.",
    );
    expect(writeRecoveryStatus(plane.api(), plane.ledger.objects).recovery?.current).toEqual({
      began: "1970-01-01T00:00:00Z",
      deadline: "1970-01-01T00:01:00Z",
      lost: 2,
      stage: "lost",
      spent: { lost: "1m" },
      missed: "lost",
    });
    expect(told(plane.commits)).toEqual([
      "Warning RecoveryBegan: 2 replicas were lost; they are to be back within 1m.",
      "Warning RecoveryMissed: Not recovered within 1m; most of the time was spent in lost: lost 1m.",
    ]);
  });

  test("is how the last one went [RV6] [RV7]", () => {
    const inTime = after(30_000);
    expect(conditions(inTime)[1]).toBe(
      "RecoveryInTime True Recovered: The last recovery took 30s of 1m.",
    );
    expect(writeRecoveryStatus(inTime.api(), inTime.ledger.objects).recovery?.last).toEqual({
      began: "1970-01-01T00:00:00Z",
      took: "30s",
      lost: 2,
      spent: { lost: "30s" },
    });
    expect(told(inTime.commits)[1]).toBe(
      "Normal Recovered: 2 replicas were lost and are back after 30s: lost 30s.",
    );
    const late = after(90_000);
    expect(conditions(late)[1]).toContain("took 90s of 1m, most of it in lost");
    expect(told(late.commits)[1]).toContain("Warning RecoveryMissed: 2 replicas were lost and are");
  });

  test("is nothing for a workload without one", () => {
    const plane = aRecoveringPlane();
    plane.putDesired({ replicas: 2, cpuMillis: 500 });
    expect([wide(plane), conditions(plane)]).toEqual(["", []]);
    expect(writeRecoveryStatus(plane.api(), plane.ledger.objects)).toEqual({});
  });
});

const written = (of: RecoverySpec) =>
  workloadKind.toApi(aWorkload({ recovery: of }), new ObjectIndex());

describe("a recovery objective as it is written", () => {
  const recovery = { within: "5m", replicas: 4, in: ["eu-west"] };
  const least = { resources: { cpu: 1, memory: "1Gi" }, run: { command: ["serve"] } };
  const read = (of: object = {}) => workloadKind.toDesired({ ...least, recovery, ...of });
  const mistakes = (of: object): readonly string[] => {
    const desired = read(of);
    return "kind" in desired ? [] : desired.map(({ field, message }) => `${field} ${message}`);
  };

  test("is read and written the same", () => {
    const core = { withinMs: 300_000, replicas: 4, regions: ["eu-west"] };
    expect(read()).toMatchObject({ spec: { recovery: core } });
    expect(written(core)).toMatchObject({ spec: { recovery } });
    expect(written(RECOVERY)).toMatchObject({ spec: { recovery: { within: "1m" } } });
  });

  test("is for services that are no gang, in regions they may run in [RV1]", () => {
    expect(mistakes({})).toEqual([]);
    expect(mistakes({ placement: { regions: ["eu-west"] } })).toEqual([]);
    expect(mistakes({ type: "batch" })[0]).toContain("found on a batch");
    expect(mistakes({ gang: { deadline: "1m" } })[0]).toContain("found on a gang");
    expect(mistakes({ placement: { regions: ["us"] } })).toEqual([
      "spec.recovery.in[0] found eu-west; expected one of the regions of its placement: us.",
    ]);
  });
});
