import { expect, test } from "vitest";
import { aPlane } from "../../../test/builders/a-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { leaseKey, PLANE_KEY } from "../model/ids.ts";
import { FENCE_AFTER_MS } from "../model/timing.ts";
import { createEndLearning } from "./end-learning.ts";

test("learning is ended when its time is over and every node has spoken [RG13]", () => {
  const plane = aPlane();
  const { region } = plane.node().spec;
  plane.must({ kind: "incarnate", plane: { role: "regional", region }, incarnation: 3 });
  const controller = createEndLearning();
  const at = (now: number) => {
    const objects = [plane.get(PLANE_KEY)!, plane.node(), plane.get(leaseKey("a-1"))!];
    return controller.reconcile(PLANE_KEY, aView(controller, objects), aLook(now));
  };
  const isLearning = { kind: "wait", reason: "region-learning" };
  expect(at(0)).toMatchObject({ ...isLearning, deadlineMs: FENCE_AFTER_MS });
  expect(at(FENCE_AFTER_MS)).toMatchObject({
    ...isLearning,
    because: {
      summary: `${region} was restored and asks its agents what they run; 1 nodes have not answered`,
    },
  });
  const inventory = { asOf: plane.ledger.revision, replicas: [] };
  plane.must({ kind: "lease", node: "a-1", session: 1, seq: 2, kept: [], inventory });
  expect(at(FENCE_AFTER_MS)).toMatchObject({
    kind: "propose",
    intents: [{ kind: "end-learning", incarnation: 3 }],
  });
  plane.nowMs = FENCE_AFTER_MS;
  plane.must({ kind: "end-learning", incarnation: 3 });
  expect(at(FENCE_AFTER_MS).kind).toBe("settled");
});
