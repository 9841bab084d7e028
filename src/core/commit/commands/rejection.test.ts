import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../../test/builders/a-plane.ts";
import { REJECTIONS_KEPT, withRejection } from "../../model/node-rejection.ts";
import type { IntentOf } from "../../protocol/command.ts";

type Report = Partial<Pick<IntentOf<"report">, "stage" | "rejected" | "incarnation" | "node">>;

const report = (plane: Plane, of: Report = {}): void => {
  const { stage = "failed", incarnation = 1, node = "a-1", ...how } = of;
  plane.must({ kind: "report", replica: indexKey(), incarnation, node, session: 1, stage, ...how });
};

function turnedAway(): Plane {
  const plane = aPlane();
  plane.bound();
  report(plane, { stage: "starting" });
  report(plane, { rejected: true });
  return plane;
}

describe("a replica that its machine cannot take", () => {
  test("has failed, and says which node turned it away in which incarnation [AG6] [PR4]", () => {
    expect(turnedAway().replica().status).toMatchObject({
      stage: "failed",
      failures: 1,
      rejections: [{ node: "a-1", incarnation: 1 }],
    });
  });

  test("takes that into its next incarnations, until one of them runs [PR4]", () => {
    const plane = turnedAway();
    const { key } = plane.bound({ incarnation: 2 });
    const kept = [{ node: "a-1", incarnation: 1 }];
    expect(plane.replica().status.rejections).toEqual(kept);
    report(plane, { stage: "starting", incarnation: 2 });
    expect(plane.ledger.objects.replica(key)?.status.rejections).toEqual(kept);
    report(plane, { stage: "ready", incarnation: 2 });
    expect(plane.replica().status.rejections).toBeUndefined();
  });

  test("that fails otherwise was not turned away [PR4]", () => {
    const plane = aPlane();
    plane.serving();
    report(plane);
    expect(plane.replica().status.rejections).toBeUndefined();
  });
});

test("of the nodes that turned it away the last eight are kept, each once, the latest last [PR4]", () => {
  let all: ReturnType<typeof withRejection> = [];
  for (let incarnation = 1; incarnation <= 20; incarnation += 1) {
    all = withRejection(all, { node: `n${incarnation % 10}`, incarnation });
  }
  expect(all).toHaveLength(REJECTIONS_KEPT);
  expect(all.at(-1)).toEqual({ node: "n0", incarnation: 20 });
  expect(new Set(all.map(({ node }) => node)).size).toBe(REJECTIONS_KEPT);
});
