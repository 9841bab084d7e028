import { describe, expect, test } from "vitest";
import { aPlane, indexKey, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import type { Plane } from "../../../../test/builders/a-plane.ts";
import { quotaKey } from "../../../core/model/ids.ts";
import { problemText, readyText, stagesText, writeWorkloadStatus } from "./workload-status.ts";

const statusOf = (plane: Plane) => writeWorkloadStatus(plane.workload(), plane.ledger.objects);

const conditionOf = (plane: Plane, type: string) =>
  statusOf(plane).conditions.find((condition) => condition.type === type)!;

describe("counts", () => {
  test("two of four ready is shown as two of four, with the stage of the others", () => {
    const plane = aPlane({ desired: { replicas: 4 } });
    plane.serving({ index: 0 });
    plane.serving({ index: 1 });
    plane.bound({ index: 2 });
    plane.queued(3);
    const status = statusOf(plane);
    expect(status).toMatchObject({
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 2,
      stages: { queued: 1, bound: 1, serving: 2 },
      observedGeneration: 1,
      templateGeneration: 1,
    });
    expect(readyText(plane.workload(), plane.ledger.objects)).toBe("2/4");
    expect(stagesText(plane.workload(), plane.ledger.objects)).toBe("queued 1 bound 1 serving 2");
  });

  test("a changed template shows which replicas are of the old one", () => {
    const plane = aPlane({ desired: { replicas: 1 } });
    plane.serving();
    plane.putDesired({ replicas: 1, command: ["serve", "--v2"] });
    expect(statusOf(plane)).toMatchObject({
      replicas: 1,
      updatedReplicas: 0,
      readyReplicas: 1,
      observedGeneration: 2,
      templateGeneration: 2,
    });
  });

  test("replicas of an earlier incarnation of the name are not counted", () => {
    const plane = aPlane();
    plane.serving();
    const stranger = { ...plane.workload(), meta: { ...plane.workload().meta, uid: "u999" } };
    const status = writeWorkloadStatus(
      stranger as typeof stranger & ReturnType<Plane["workload"]>,
      plane.ledger.objects,
    );
    expect(status.replicas).toBe(0);
  });
});

describe("conditions", () => {
  test("a workload is available once enough replicas are ready", () => {
    const plane = aPlane({ desired: { replicas: 1 } });
    expect(conditionOf(plane, "Available")).toMatchObject({
      status: "False",
      reason: "NotEnoughReady",
      message: "0 of 1 replica is ready; 1 missing since 1970-01-01T00:00:00Z.",
    });
    plane.nowMs = 5_000;
    plane.serving();
    expect(conditionOf(plane, "Available")).toEqual({
      type: "Available",
      status: "True",
      reason: "EnoughReady",
      message: "1 of 1 replica is ready.",
      lastTransitionTime: "1970-01-01T00:00:05Z",
    });
    expect(conditionOf(plane, "Progressing")).toMatchObject({ status: "False", reason: "Settled" });
  });

  test("the reason is the earliest stage at which a wanted replica has stopped", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    expect(conditionOf(plane, "Progressing").reason).toBe("NotAdmitted");
    plane.admitted(0);
    plane.admitted(1);
    expect(conditionOf(plane, "Progressing").reason).toBe("WaitingForQuota");
    plane.queued(0);
    expect(conditionOf(plane, "Progressing").reason).toBe("WaitingForQuota");
    plane.queued(1);
    expect(conditionOf(plane, "Progressing")).toMatchObject({
      status: "True",
      reason: "WaitingForNode",
      message: "2 of 2 replicas: each has quota and is waiting for a node that fits.",
    });
  });

  test("a tenant without a quota is told that it has none [QT10]", () => {
    const plane = aPlane();
    plane.must({ kind: "delete", key: quotaKey("payments"), expect: {} });
    plane.admitted();
    expect(problemText(plane.workload(), plane.ledger.objects)).toBe("NoQuota");
    expect(conditionOf(plane, "Progressing")).toMatchObject({
      reason: "NoQuota",
      message: `1 of 1 replica: each is waiting for quota, and tenant payments has none; create its Quota "default".`,
    });
  });

  test("replicas of a silent node are honestly unknown", () => {
    const plane = aPlane();
    plane.serving();
    plane.fallenSilent();
    expect(conditionOf(plane, "Progressing").reason).toBe("NodeSilent");
  });

  test("what is no longer wanted is still on its way out", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    expect(conditionOf(plane, "Progressing").reason).toBe("StoppingSurplus");
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(conditionOf(plane, "Progressing")).toMatchObject({
      reason: "BeingDeleted",
      message: "The workload is being deleted; 1 replica is still to stop.",
    });
  });

  test("a batch is complete when all its replicas have ended well", () => {
    const plane = aPlane({ desired: { type: "batch", replicas: 1 } });
    const { status } = plane.bound();
    const report = { kind: "report", replica: indexKey(), incarnation: 1, node: "a-1" } as const;
    plane.must({ ...report, session: status.session, stage: "starting" });
    plane.must({ ...report, session: status.session, stage: "running" });
    expect(conditionOf(plane, "Complete").status).toBe("False");
    plane.must({ ...report, session: status.session, stage: "succeeded" });
    expect(conditionOf(plane, "Complete")).toMatchObject({
      status: "True",
      reason: "AllSucceeded",
    });
    expect(conditionOf(plane, "Available").status).toBe("True");
    expect(statusOf(plane).succeededReplicas).toBe(1);
    expect(readyText(plane.workload(), plane.ledger.objects)).toBe("1/1");
  });
});
