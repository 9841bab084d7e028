import { describe, expect, test } from "vitest";
import {
  aRecoveringPlane,
  RECOVERY,
  type RecoveringPlane,
} from "../../../test/builders/a-recovering-plane.ts";
import { putting, indexKey, WORKLOAD } from "../../../test/builders/a-plane.ts";
import { PlaceHarness } from "../../../test/builders/a-place-harness.ts";
import { aWorkloadSpec } from "../../../test/builders/a-workload.ts";
import { workloadKey } from "../model/ids.ts";

const OTHER = workloadKey("payments", "aaa");

/** What `away-1` has is kept, and there is no room elsewhere. */
function crowded(): RecoveringPlane {
  const plane = aRecoveringPlane().up();
  plane.hold(["away-1", "away-1"]);
  for (const name of ["away-2", "away-3"]) plane.resize(name, 100);
  plane.resize("home-1", 1_000);
  return plane;
}

describe("place", () => {
  test("puts what was lost into the room that is kept for it, each into its own [RV4]", () => {
    const plane = crowded().homeLost();
    for (const index of [0, 1]) plane.queued(index, 2);
    const decision = new PlaceHarness(plane).look();
    const [first, second] = plane.spares.map(({ key }) => key);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [
        {
          bindings: [
            { replica: indexKey(0), node: "away-1", spare: first },
            { replica: indexKey(1), node: "away-1", spare: second },
          ],
        },
      ],
      because: { summary: expect.stringContaining("away-1 has recovery reserve for api.1.0") },
    });
  });

  test("takes free room before the recovery reserve [RV4]", () => {
    const plane = crowded().homeLost();
    plane.resize("away-3", 600);
    for (const index of [0, 1]) plane.queued(index, 2);
    const decision = new PlaceHarness(plane).look();
    const [intent] = decision.kind === "propose" ? decision.intents : [];
    expect(
      intent?.kind === "bind-all" && intent.bindings.map(({ node, spare }) => [node, spare]),
    ).toEqual([
      ["away-3", undefined],
      ["away-1", plane.spares[0]!.key],
    ]);
  });

  test("leaves the recovery reserve alone while nothing was lost, and looks again after a loss [RV4] [RN6]", () => {
    const plane = crowded();
    plane.putDesired({ replicas: 3, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY });
    plane.queued(2);
    const harness = new PlaceHarness(plane);
    expect(harness.look()).toMatchObject({ kind: "wait", reason: "no-feasible-node" });
    const after = plane.api();
    expect(harness.place.keysFor({ key: WORKLOAD, before: after, after }, harness.view)).toEqual([
      WORKLOAD,
    ]);
    const [held] = plane.spares;
    const gone = { key: held!.key, before: held, after: undefined };
    expect(harness.place.keysFor(gone, harness.view)).toEqual([WORKLOAD]);
  });

  test("looks at lost replicas before all others, and at no more than were lost [RV8]", () => {
    const plane = aRecoveringPlane({ replicas: 3 }).up();
    plane.recover();
    const spec = aWorkloadSpec({ cpuMillis: 100, memoryMiB: 10 });
    plane.must(putting(OTHER, { kind: "Workload", spec }));
    const indexes = [{ index: 0, incarnation: 1 }];
    plane.must({ kind: "enqueue", workload: OTHER, generation: 1, indexes }, { role: "admit" });
    plane.queued(2);
    const due = new Set([OTHER, WORKLOAD]);
    const calm = new PlaceHarness(plane);
    expect([...calm.place.order!(due, calm.view)][0]).toBe(OTHER);
    plane.homeLost();
    for (const index of [0, 1]) plane.queued(index, 2);
    const harness = new PlaceHarness(plane);
    expect([...harness.place.order!(due, harness.view)]).toEqual([WORKLOAD, OTHER]);
    const decision = harness.look();
    const [intent] = decision.kind === "propose" ? decision.intents : [];
    expect(intent?.kind === "bind-all" && intent.bindings).toHaveLength(2);
  });
});
