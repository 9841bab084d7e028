import { describe, expect, test } from "vitest";
import { checkRollout } from "./check-rollout.ts";
import { shownRollout } from "./shown-rollout.ts";

const generation = (number: number, wanted: number, ready: number, stages: object = {}) => ({
  generation: number,
  wanted,
  readyReplicas: ready,
  served: true,
  stages,
});

const check = (status: object, spec: object = {}) =>
  checkRollout(
    shownRollout({
      metadata: { name: "api" },
      spec: { replicas: 3, ...spec },
      status: { templateGeneration: 2, ...status },
    })!,
  );

describe("a rollout is", () => {
  test("done when nothing moves and all replicas of the template are ready", () => {
    expect(check({ generations: [generation(2, 3, 3)] })).toEqual({
      state: "done",
      text: "all 3 replicas serve generation 2",
    });
    expect(check({ generations: [generation(2, 3, 2, { starting: 1 })] })).toEqual({
      state: "going",
      text: "generation 2: 2 of 3 ready (starting 1)",
    });
  });

  test("going while it moves, with what is left and where it stands", () => {
    const generations = [generation(2, 1, 0, { queued: 1 }), generation(1, 3, 3, { serving: 3 })];
    const rollout = { stage: "rolling", to: 2, step: 1 };
    const spec = { rollout: { steps: [{ replicas: 1 }, { replicas: 2 }], paused: true } };
    expect(check({ generations, rollout }, spec)).toEqual({
      state: "going",
      text: "generation 2: 0 of 3 ready (queued 1); generation 1: 3 left, 3 ready; step 1 of 2; paused",
    });
    const leaving = [generation(2, 3, 2), generation(1, 0, 1, { serving: 1 })];
    expect(check({ generations: leaving, rollout }).text).toMatch(
      /generation 1: serving 1 stopping/,
    );
  });

  test("going on its way back, and failed once it is there or held", () => {
    const generations = [generation(1, 3, 3)];
    const reason = "no progress for 60 s";
    const back = check({ generations, rollout: { stage: "going-back", to: 1, reason } });
    expect(back.state).toBe("going");
    expect(back.text).toMatch(/^generation 2 failed: no progress for 60 s; rolling back to 1/);
    expect(check({ generations, rollout: { stage: "rolled-back", to: 1, reason } })).toEqual({
      state: "failed",
      text: "generation 2 failed: no progress for 60 s; all 3 replicas are rolled back to generation 1",
    });
    expect(check({ generations, rollout: { stage: "held", to: 2, reason } }).state).toBe("failed");
  });
});

test("what does not roll out has no rollout", () => {
  expect(shownRollout({ metadata: { name: "n1" }, status: {} })).toBeUndefined();
});
