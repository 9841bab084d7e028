import { expect, test } from "vitest";
import { aRollingPlane, aRollout } from "../../../test/builders/a-rolling-plane.ts";
import { eventsOf } from "../events/events-of.ts";

const told = (plane: ReturnType<typeof aRollingPlane>): readonly string[] =>
  eventsOf(plane.lastCommit)
    .filter(({ about }) => about.kind === "Workload")
    .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);

test("a rollout is told from its beginning to its end", () => {
  const plane = aRollingPlane({ replicas: 1 });
  expect(told(plane)).toEqual(["Normal Served: All replicas serve generation 1."]);
  plane.release("v2");
  expect(told(plane)).toEqual(["Normal RollingOut: Rolling out generation 2."]);
  plane.advance({ begin: [0] });
  expect(told(plane)).toEqual([]);
  plane.serve(2, 0);
  plane.advance({ drop: [{ generation: 1, indexes: [0] }] });
  plane.roll({ kind: "finish" });
  expect(told(plane)).toEqual(["Normal RolledOut: All replicas serve generation 2."]);
});

test("one that fails is told with its reason, and so is where it ends", () => {
  const plane = aRollingPlane();
  plane.release("v2");
  plane.roll({ kind: "fail", reason: "1 queued" });
  expect(told(plane)).toEqual([
    "Warning RollingBack: Rollout failed: 1 queued. Rolling back to generation 1.",
  ]);
  plane.roll({ kind: "finish" });
  expect(told(plane)).toEqual(["Normal RolledBack: All replicas serve generation 1 again."]);
  const held = aRollingPlane({ rollout: aRollout({ onFailure: "hold" }) });
  held.release("v2");
  held.roll({ kind: "fail", reason: "1 queued" });
  expect(told(held)).toEqual([
    "Warning RolloutFailed: Rollout failed: 1 queued. Its replicas stay as they are.",
  ]);
});
