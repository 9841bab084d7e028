import { describe, expect, test } from "vitest";
import { aPlane, indexKey } from "../../../../test/builders/a-plane.ts";
import { aRollingPlane, aRollout } from "../../../../test/builders/a-rolling-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { NO_END } from "../../model/index-set.ts";

describe("a new template", () => {
  test("of a service begins a rollout and ends nothing by itself [RO8] [RO1]", () => {
    const plane = aRollingPlane();
    plane.nowMs = 7_000;
    plane.release("v2");
    expect(plane.workload().status).toMatchObject({
      templateGeneration: 2,
      templateSinceMs: 7_000,
      retargets: 1,
      rollout: {
        from: 1,
        to: 2,
        stage: "rolling",
        begun: [],
        old: [{ generation: 1, indexes: [0, NO_END] }],
        step: 0,
        sinceMs: 7_000,
      },
      history: [{ generation: 1, served: true, sinceMs: 0 }],
    });
    const evidence = { kind: "surplus", workload: plane.workload().key } as const;
    const evict = { kind: "evict", replica: indexKey(), incarnation: 1, evidence } as const;
    expect(codeOf(plane.send(evict))).toBe("evidence-wrong");
  });

  test("of a gang or a batch replaces all replicas at once [RO4] [OB6]", () => {
    for (const of of [{ type: "batch" }, { gang: { deadlineMs: 1_000 } }] as const) {
      const plane = aPlane({ desired: of });
      plane.putDesired({ ...of, command: ["serve", "v2"] });
      expect(plane.workload().status).toEqual({ templateGeneration: 2 });
    }
  });

  test("in the middle of a rollout makes it one to that template, and goes back past what never served [RO8] [RO7]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.release("v3");
    expect(plane.rollout).toMatchObject({
      from: 1,
      to: 3,
      begun: [],
      old: [
        { generation: 2, indexes: [0, 1] },
        { generation: 1, indexes: [0, NO_END] },
      ],
    });
    plane.roll({ kind: "fail", reason: "none serves" });
    expect(plane.rollout).toMatchObject({ stage: "going-back", to: 1, begun: [0, NO_END] });
  });

  test("that is still known is the same generation again, with what is left of it [RO8] [OB6]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.advance({ begin: [0] });
    plane.release("v1");
    expect(plane.workload().status).toMatchObject({
      templateGeneration: 1,
      served: true,
      rollout: { to: 1, begun: [0, NO_END], old: [{ generation: 2, indexes: [0, 1] }] },
      history: [{ generation: 2, served: false }],
    });
    expect(plane.workload().meta.generation).toBe(3);
  });

  test("that a failed rollout went back to leaves nothing to roll out [RO8]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.roll({ kind: "fail", reason: "none serves" });
    plane.roll({ kind: "finish" });
    expect(plane.rollout?.stage).toBe("rolled-back");
    plane.release("v1");
    expect(plane.workload().status).toMatchObject({
      templateGeneration: 1,
      history: [{ generation: 2, served: false, failed: "none serves" }],
    });
    expect(plane.rollout).toBeUndefined();
  });

  test("pushes the oldest out of the history, but none of which replicas are wanted [RO8]", () => {
    const plane = aRollingPlane();
    for (let version = 2; version <= 14; version += 1) plane.release(`v${version}`);
    const kept = plane.workload().status.history?.map(({ generation }) => generation);
    expect(kept).toEqual([1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test("and scaling go together: what is added is wanted of the old one until it is rolled out [RO1]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.want({ replicas: 5 });
    expect(codeOf(plane.send(plane.incarnationOf(1, 3, 4)))).toBe("committed");
    expect(plane.rollout).toMatchObject({ to: 2, stage: "rolling" });
  });

  test("is nothing to a workload that rolls out no more [RO4]", () => {
    const plane = aRollingPlane();
    plane.release("v2");
    plane.putDesired({ type: "batch", replicas: 3, command: ["serve", "v2"] });
    expect(plane.workload().status).toEqual({ templateGeneration: 3 });
  });
});

describe("what a service says of its rollouts", () => {
  test("has to be possible [RO10]", () => {
    const plane = aRollingPlane();
    const wrong = [
      aRollout({ maxSurge: 0, maxUnavailable: 0 }),
      aRollout({ maxSurge: -1 }),
      aRollout({ maxUnavailable: 0.5 }),
      aRollout({ deadlineMs: 0 }),
      aRollout({ deadlineMs: 86_400_001 }),
      aRollout({ steps: [{ replicas: 0 }] }),
      aRollout({ steps: [{ replicas: 2 }, { replicas: 2 }] }),
      aRollout({ steps: [{ replicas: 1, pauseMs: -1 }] }),
      aRollout({ steps: Array.from({ length: 33 }, (_, at) => ({ replicas: at + 1 })) }),
    ];
    for (const rollout of wrong) {
      expect(() => plane.want({ rollout })).toThrow(/bad-object/);
    }
    expect(() => plane.want({ rollout: aRollout(), type: "batch" })).toThrow(/bad-object/);
    const gang = { deadlineMs: 1_000 };
    expect(() => plane.want({ rollout: aRollout(), type: "service", gang })).toThrow(/bad-object/);
  });
});
