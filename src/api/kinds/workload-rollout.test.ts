import { describe, expect, test } from "vitest";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { WorkloadSpec } from "../../core/model/objects.ts";
import { workloadKind } from "./workload.ts";

const LEAST = { resources: { cpu: 1, memory: "1Gi" }, run: { command: ["serve"] } };

const read = (rollout: unknown, more: object = {}) =>
  workloadKind.toDesired({ ...LEAST, ...more, rollout });

const specOf = (rollout: unknown): WorkloadSpec["rollout"] => {
  const desired = read(rollout);
  if (!("kind" in desired) || desired.kind !== "Workload") throw new Error(JSON.stringify(desired));
  return desired.spec.rollout;
};

describe("what a service says of its rollouts", () => {
  test("is read whole", () => {
    const steps = [{ replicas: 1, pause: "2m" }, { replicas: 3 }];
    const given = { maxSurge: 0, maxUnavailable: 2, deadline: "90s", steps };
    expect(specOf({ ...given, paused: true, onFailure: "hold" })).toEqual({
      maxSurge: 0,
      maxUnavailable: 2,
      deadlineMs: 90_000,
      steps: [{ replicas: 1, pauseMs: 120_000 }, { replicas: 3 }],
      paused: true,
      onFailure: "hold",
    });
  });

  test("is one more at a time and ten minutes where it is left out", () => {
    const byDefault = { maxSurge: 1, maxUnavailable: 0, deadlineMs: 600_000 };
    expect(specOf({})).toEqual(byDefault);
    // The words for what goes without saying leave no trace, so they change nothing when they are
    // left out again.
    expect(specOf({ paused: false, onFailure: "rollback", steps: [] })).toEqual(byDefault);
    expect(specOf(undefined)).toBeUndefined();
  });

  test("is kept as it was said, in percent or in numbers [RO11]", () => {
    const said = { maxSurge: "25%", maxUnavailable: "100%" };
    expect(specOf(said)).toMatchObject(said);
    const { spec, status } = workloadKind.toApi(
      aWorkload({ replicas: 6, rollout: { ...specOf({ ...said, maxUnavailable: "25%" })! } }),
      new ObjectIndex(),
    ) as { spec: { rollout: unknown }; status: { rollout?: unknown } };
    expect(spec.rollout).toMatchObject({ maxSurge: "25%", maxUnavailable: "25%" });
    expect(status.rollout).toBeUndefined();
  });

  test("is written as it was read", () => {
    const rollout = {
      maxSurge: 2,
      maxUnavailable: 1,
      deadlineMs: 300_000,
      steps: [{ replicas: 1, pauseMs: 60_000 }, { replicas: 2 }],
      paused: true,
    };
    const { spec } = workloadKind.toApi(aWorkload({ rollout }), new ObjectIndex()) as {
      spec: { rollout: unknown };
    };
    expect(spec.rollout).toMatchObject({ deadline: "5m", steps: [{ pause: "1m" }, {}] });
    expect(specOf(spec.rollout)).toEqual(rollout);
  });

  test.each([
    [{ maxSurge: 0 }, {}, "spec.rollout.maxSurge", /found 0 with maxUnavailable 0/],
    [{ maxSurge: "0%" }, {}, "spec.rollout.maxSurge", /found 0% with maxUnavailable 0/],
    [{ maxUnavailable: "101%" }, {}, "spec.rollout.maxUnavailable", /at most 100%/],
    [{ deadline: "soon" }, {}, "spec.rollout.deadline", /found "soon"/],
    [{ deadline: "25h" }, {}, "spec.rollout.deadline", /to 24h/],
    [
      { steps: [{ replicas: 2 }, { replicas: 2 }] },
      {},
      "spec.rollout.steps[1].replicas",
      /found 2; expected more than 2/,
    ],
    [{ steps: [{ replicas: 1, pause: "x" }] }, {}, "spec.rollout.steps[0].pause", /found "x"/],
    [{}, { type: "batch" }, "spec.rollout", /found on a batch/],
    [{}, { gang: { deadline: "1m" } }, "spec.rollout", /found on a gang/],
  ])("is refused with its field: %j %j", (rollout, more, field, message) => {
    expect(read(rollout, more)).toEqual([{ field, message: expect.stringMatching(message) }]);
  });
});
