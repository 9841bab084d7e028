import { describe, expect, test } from "vitest";
import { aPlane } from "../../../../test/builders/a-plane.ts";
import {
  aRollingPlane,
  aRollout,
  type RollingPlane,
} from "../../../../test/builders/a-rolling-plane.ts";
import { writeWorkloadStatus } from "./workload-status.ts";

const statusOf = (plane: Pick<RollingPlane, "workload" | "ledger">) =>
  writeWorkloadStatus(plane.workload(), plane.ledger.objects);

const progressing = (plane: RollingPlane) =>
  statusOf(plane).conditions.find(({ type }) => type === "Progressing");

describe("the status of a service", () => {
  test("counts replicas by generation and stage, the newest first", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.must(plane.incarnationOf(2, 0));
    const { generations, rollout } = statusOf(plane);
    expect(generations).toEqual([
      {
        generation: 2,
        wanted: 1,
        replicas: 1,
        readyReplicas: 0,
        served: false,
        stages: { queued: 1 },
      },
      {
        generation: 1,
        wanted: 3,
        replicas: 3,
        readyReplicas: 3,
        served: true,
        stages: { serving: 3 },
      },
    ]);
    expect(rollout).toEqual({
      stage: "rolling",
      maxSurge: 1,
      maxUnavailable: 0,
      from: 1,
      to: 2,
      since: "1970-01-01T00:00:00Z",
      updated: 1,
    });
  });

  test("keeps the templates of before in the words of a spec", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    const [past, ...others] = statusOf(plane).history ?? [];
    expect(others).toEqual([]);
    expect(past).toMatchObject({
      generation: 1,
      served: true,
      template: { run: { command: ["serve", "v1"] } },
    });
  });

  test("of a batch says nothing of rollouts", () => {
    const status = statusOf(aPlane({ desired: { type: "batch" } }));
    expect(status).not.toHaveProperty("generations");
    expect(status).not.toHaveProperty("rollout");
  });
});

describe("the condition Progressing", () => {
  test("says how far a rollout is, and at which step", () => {
    const plane = aRollingPlane({ rollout: aRollout({ steps: [{ replicas: 1 }] }) });
    plane.release("v2");
    plane.advance({ begin: [0] });
    expect(progressing(plane)).toMatchObject({
      status: "True",
      reason: "RollingOut",
      message: "1 of 3 replicas are of generation 2, 0 of them ready.",
    });
    expect(statusOf(plane).rollout).toMatchObject({ step: 1 });
  });

  test("says that it is paused, on its way back, back, or held", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.want({ rollout: aRollout({ paused: true }) });
    expect(progressing(plane)).toMatchObject({ status: "Unknown", reason: "RolloutPaused" });
    plane.roll({ kind: "fail", reason: "1 queued" });
    expect(progressing(plane)).toMatchObject({ status: "True", reason: "RollingBack" });
    plane.roll({ kind: "finish" });
    expect(progressing(plane)).toMatchObject({
      status: "False",
      reason: "RolledBack",
      message: "Generation 2 failed: 1 queued; rolled back to 1.",
    });
    const held = aRollingPlane({ rollout: aRollout({ onFailure: "hold" }) });
    held.release("v2");
    held.roll({ kind: "fail", reason: "1 queued" });
    expect(progressing(held)).toMatchObject({ status: "False", reason: "RolloutFailed" });
  });
});
