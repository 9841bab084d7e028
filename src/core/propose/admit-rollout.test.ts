import { expect, test } from "vitest";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aTemplate } from "../../../test/builders/a-template.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Decision } from "../protocol/decision.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Rollout } from "../model/rollout.ts";
import { NO_END } from "../model/index-set.ts";
import { createAdmit } from "./admit.ts";

const workload = (of: Partial<Rollout> = {}) =>
  aWorkload({
    replicas: 2,
    templateGeneration: 2,
    command: ["serve", "v2"],
    status: {
      retargets: 1,
      history: [{ generation: 1, template: aTemplate(), sinceMs: 0, served: true }],
      rollout: {
        from: 1,
        to: 2,
        stage: "rolling",
        begun: [0, 1],
        old: [{ generation: 1, indexes: [0, NO_END] }],
        step: 0,
        sinceMs: 0,
        ...of,
      },
    },
  });

const serving = (generation: number, index: number) =>
  aReplica({ generation, index, stage: "serving", node: "a-1" });

function decide(...objects: readonly AnyObject[]): Decision {
  const controller = createAdmit();
  const all = [aQuota(), ...objects];
  return controller.reconcile(workload().key, aView(controller, all), aLook(1_000));
}

test("indexes of both generations that lack an incarnation are given one, those of the new one first [RO1]", () => {
  const decision = decide(
    workload(),
    serving(1, 0),
    aReplica({ index: 1, stage: "released", incarnation: 3 }),
  );
  const intents = decision.kind === "propose" ? decision.intents : [];
  expect(intents).toMatchObject([
    { kind: "enqueue", generation: 1, indexes: [{ index: 1, incarnation: 4 }] },
    { kind: "enqueue", generation: 2, indexes: [{ index: 0, incarnation: 1 }] },
  ]);
  // What is wanted again later in the same generation is another intent.
  expect(new Set(intents.map(({ operation }) => operation)).size).toBe(2);
});

test("no more incarnations are given than may live at once, and the rest waits for others to end [RO2] [RN6]", () => {
  const both = workload({ begun: [0, 2], old: [{ generation: 1, indexes: [1, NO_END] }] });
  const stopping = { reason: "rollout", sinceMs: 0 } as const;
  const leaving = aReplica({ index: 0, stage: "serving", node: "a-1", stopping });
  const decision = decide(both, leaving, serving(1, 1), serving(2, 0));
  expect(decision).toMatchObject({ kind: "wait", reason: "rollout-surge", deadlineMs: 16_000 });
  const gone = aReplica({ index: 0, stage: "released" });
  expect(decide(both, gone, serving(1, 1), serving(2, 0))).toMatchObject({
    intents: [
      { kind: "enqueue", generation: 2, indexes: [{ index: 1, incarnation: 1 }] },
      { kind: "delete", key: gone.key },
    ],
  });
});

test("what a rollout has left and holds no node is ended as surplus [RO3]", () => {
  const left = workload({ old: [{ generation: 1, indexes: [1, NO_END] }] });
  const queued = aReplica({ index: 0, stage: "queued" });
  expect(decide(left, queued, serving(1, 1), serving(2, 0))).toMatchObject({
    intents: [{ kind: "evict", replica: queued.key, evidence: { kind: "surplus" } }],
  });
});
