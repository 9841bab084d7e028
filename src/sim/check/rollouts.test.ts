import { describe, expect, test } from "vitest";
import type { Replica, Workload, WorkloadSpec, WorkloadStatus } from "../../core/model/objects.ts";
import type { Rollout } from "../../core/model/rollout.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aWorkload,
  bound,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createRolloutsChecker } from "./rollouts.ts";

const OPEN = 2_147_483_647;
const ROLLOUT: Rollout = {
  from: 1,
  to: 2,
  stage: "rolling",
  begun: [0, 1],
  old: [{ generation: 1, indexes: [0, OPEN] }],
  step: 0,
  sinceMs: 0,
};
const BOUNDS = { maxSurge: 1, maxUnavailable: 0, deadlineMs: 1_000 };

const moving = (of: Partial<Rollout> = {}, spec: Partial<WorkloadSpec> = {}): Workload =>
  withRollout(aWorkload({ spec: { replicas: 2, rollout: BOUNDS, ...spec } }), {
    templateGeneration: 2,
    rollout: { ...ROLLOUT, ...of },
  });

const withRollout = (workload: Workload, status: WorkloadStatus): Workload => ({
  ...workload,
  status,
});

const serving = (generation: number, index: number): Replica =>
  bound(aReplica({ spec: { generation, index } }), "node-1", { stage: "serving" });

const asked = (replica: Replica, reason: "rollout" | "surplus" | "drain"): Replica =>
  withStatus(replica, { stopping: { reason, sinceMs: 0 } });

function aHarness(...put: readonly (Replica | Workload)[]): CheckerHarness {
  const harness = new CheckerHarness(createRolloutsChecker());
  harness.commit({ put });
  return harness;
}

const roll = (
  harness: CheckerHarness,
  ...put: readonly (Replica | Workload)[]
): readonly string[] => {
  harness.commit({ command: "roll", role: "roll-out", put });
  return harness.found;
};

describe("a replica that is asked to stop for another template", () => {
  const left = moving({ old: [{ generation: 1, indexes: [1, OPEN] }] });

  test("while enough others serve breaks no rule [INV80]", () => {
    const harness = aHarness(moving(), serving(1, 0), serving(1, 1), serving(2, 0));
    expect(roll(harness, left, asked(serving(1, 0), "rollout"))).toEqual([]);
  });

  test("while too few others serve is reported [INV80]", () => {
    const starting = bound(aReplica({ spec: { generation: 2 } }), "node-1", { stage: "starting" });
    const harness = aHarness(moving(), serving(1, 0), serving(1, 1), starting);
    expect(roll(harness, left, asked(serving(1, 0), "rollout"))[0]).toEqual(
      "INV80 Replica/payments/api.1.0 was asked to stop by harness, and 1 of Workload/payments/api are left of at least 2.",
    );
  });

  test("as surplus is no way round it, but scaling down is [INV80]", () => {
    const harness = aHarness(moving(), serving(1, 0), serving(1, 1));
    const evict = { command: "evict", role: "admit" } as const;
    harness.commit({ ...evict, put: [asked(serving(1, 0), "surplus")] });
    expect(harness.found).toHaveLength(1);
    const scaled = aHarness(moving({}, { replicas: 1 }), serving(1, 0), serving(1, 1));
    scaled.commit({ ...evict, put: [asked(serving(1, 1), "surplus")] });
    scaled.commit({ ...evict, put: [asked(serving(1, 0), "drain")] });
    expect(scaled.found).toEqual([]);
  });

  test("after it was scaled away breaks no rule, although its index is wanted again [INV80]", () => {
    const harness = aHarness(moving(), serving(1, 0), serving(1, 1));
    harness.commit({ put: [moving({}, { replicas: 0 })] });
    harness.commit({ put: [moving({ begun: [], old: [] })] });
    harness.commit({ command: "evict", role: "admit", put: [asked(serving(1, 0), "surplus")] });
    expect(harness.found).toEqual([]);
  });

  test("without having served breaks no rule [INV80]", () => {
    const failing = bound(aReplica(), "node-1", { stage: "ready" });
    const harness = aHarness(moving(), failing, serving(1, 1), serving(2, 0));
    expect(roll(harness, left, asked(failing, "rollout"))).toEqual([]);
  });
});

const give = (harness: CheckerHarness, replica: Replica): readonly string[] => {
  const put = [withStatus(replica, { stage: "queued" })];
  harness.commit({ command: "enqueue", role: "admit", put });
  return harness.found;
};

/**
 * Its node begins a new session, and it a new incarnation there, while three are leaving that were scaled
 * away.
 */
const returned = (was: Replica): readonly string[] => {
  const leaving = [1, 2, 3].map((index) => asked(serving(1, index), "surplus"));
  const harness = aHarness(moving({}, { replicas: 1 }), ...leaving, was);
  const anew = bound(was, "node-1", { session: 2, incarnation: 2, stopping: undefined });
  // With its node, as a lease does it: one that changes a single object is taken for a renewal.
  const put = [aNode(), anew];
  harness.commit({ command: "lease", role: "agent", put });
  return harness.found;
};

describe("an incarnation that is given on the way to another template", () => {
  test("within the surge breaks no rule [INV81]", () => {
    const harness = aHarness(moving(), serving(1, 0), serving(1, 1));
    expect(give(harness, aReplica({ spec: { generation: 2 } }))).toEqual([]);
  });

  test("beyond it is reported, those on their way out included [INV81]", () => {
    const harness = aHarness(
      moving(),
      asked(serving(1, 0), "rollout"),
      serving(1, 1),
      serving(2, 0),
    );
    expect(give(harness, aReplica({ spec: { generation: 2, index: 1 } }))).toEqual([
      "INV81 After enqueue of harness, 4 of Workload/payments/api live, of at most 3.",
    ]);
  });

  test("beside a replica whose end cannot be known breaks no rule [INV81]", () => {
    const lost = withStatus(asked(serving(1, 0), "rollout"), { stage: "unknown" });
    const harness = aHarness(moving(), lost, serving(1, 1), serving(2, 0));
    expect(give(harness, aReplica({ spec: { generation: 2, index: 1 } }))).toEqual([]);
  });

  describe("by a node that is back, after more were scaled away than have left", () => {
    test("to one that was counted all along breaks no rule: as many live as before [INV81]", () => {
      expect(returned(serving(1, 0))).toEqual([]);
      expect(returned(withStatus(serving(1, 0), { stage: "unknown" }))).toEqual([]);
    });

    test("to one that was not counted is reported: one more lives [INV81]", () => {
      const said = "INV81 After lease of harness, 4 of Workload/payments/api live, of at most 2.";
      const lost = withStatus(asked(serving(1, 0), "surplus"), { stage: "unknown" });
      expect(returned(lost)).toEqual([said]);
      for (const stage of ["released", "failed"] as const) {
        expect(returned(withStatus(serving(1, 0), { stage }))).toEqual([said]);
      }
    });
  });
});

describe("the way of a rollout", () => {
  test("back to what served breaks no rule, and to what never did is reported [INV82]", () => {
    const back = moving({ stage: "going-back", to: 1 });
    const harness = aHarness(moving());
    expect(roll(harness, back)).toEqual([
      "INV82 Workload/payments/api goes back to generation 1, which never served.",
    ]);
    const served = aHarness(moving());
    for (const index of [0, 1]) served.commit({ put: [serving(1, index)], role: "agent" });
    expect(roll(served, back)).toEqual([]);
  });

  test("back to what served when fewer were wanted breaks no rule; what was scaled away is no proof [INV82]", () => {
    const back = moving({ stage: "going-back", to: 1 }, { replicas: 2 });
    const scaled = (index: number): CheckerHarness => {
      const harness = aHarness(moving());
      harness.commit({ put: [serving(1, index)], role: "agent" });
      harness.commit({ put: [moving({}, { replicas: 1 })], role: "user" });
      return harness;
    };
    expect(roll(scaled(0), back)).toEqual([]);
    expect(roll(scaled(1), back)).toHaveLength(1);
  });

  test("while it is paused is reported [INV82]", () => {
    const paused = { rollout: { ...BOUNDS, paused: true } };
    const harness = aHarness(moving({}, paused));
    expect(roll(harness, moving({ begun: [0, 2] }, paused))).toEqual([
      "INV82 Workload/payments/api moved on while it was paused.",
    ]);
  });

  test("beyond its step is reported [INV82]", () => {
    const stepped = { rollout: { ...BOUNDS, steps: [{ replicas: 1 }] } };
    const harness = aHarness(moving({}, stepped));
    expect(roll(harness, moving({ begun: [0, 2] }, stepped))).toEqual([
      "INV82 Workload/payments/api wants 2 replicas of generation 2 at step 0, which is for 1.",
    ]);
    expect(
      roll(aHarness(moving({}, stepped)), moving({ begun: [0, 2], step: 1 }, stepped)),
    ).toEqual([]);
  });
});

test("indexes of what served are not left for what has yet to serve [INV83]", () => {
  const left = moving({ old: [{ generation: 1, indexes: [1, OPEN] }] });
  const broken = bound(aReplica(), "node-1", { stage: "ready" });
  expect(roll(aHarness(moving(), broken, serving(1, 1)), left, asked(broken, "rollout"))).toEqual([
    "INV83 Workload/payments/api leaves generation 1, which served, for what has not: 1 are left of at least 2.",
  ]);
  const earned = aHarness(moving(), broken, serving(1, 1), serving(2, 0));
  expect(roll(earned, left, asked(broken, "rollout"))).toEqual([]);
});
