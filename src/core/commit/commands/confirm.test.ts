import { describe, expect, test } from "vitest";
import { amountsOf } from "../../../../test/builders/a-budgeted-plane.ts";
import {
  aPartitionedPlane,
  CONFIRM_MS,
  type PartitionedPlane,
  DEGRADED,
  TTL_MS,
} from "../../../../test/builders/a-partitioned-plane.ts";
import { indexKey } from "../../../../test/builders/a-plane.ts";
import type { WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import { NOTHING } from "../../model/amounts.ts";

/** Bound while the region was marked; it is back. */
function back(indexes = 1, of: WorkloadSpecParts = {}): PartitionedPlane {
  const plane = aPartitionedPlane(DEGRADED, of).provisional(indexes);
  expect(plane.unmark()).toBe("committed");
  return plane;
}

const isProvisional = (plane: PartitionedPlane, index = 0): boolean =>
  plane.replica(index).status.provisional !== undefined;

describe("a binding that was made while its region was partitioned", () => {
  test("is confirmed once the region is back, and spends nothing from then on [DG5]", () => {
    const plane = back();
    const { objects } = plane.ledger;
    expect(objects.budgets.spent("old")).toEqual(amountsOf(1));
    expect(plane.confirm()).toBe("committed");
    expect(isProvisional(plane)).toBe(false);
    expect(objects.budgets.spent("old")).toEqual(NOTHING);
    expect(plane.replica().status).toMatchObject({ stage: "bound", node: "w-1" });
    expect(plane.confirm()).toBe("confirm-not-due");
    expect(plane.withdraw("old")).toBe("committed");
    expect(plane.budget("old")).toBeUndefined();
  });

  const broken: readonly [rule: string, why: string, breaks: (plane: PartitionedPlane) => void][] =
    [
      ["quota-exceeded", "its quota has shrunk", (plane) => plane.quota({ limit: NOTHING })],
      [
        "quota-exceeded",
        "the group of its tenant is short",
        (plane) => plane.quota({ limit: NOTHING, group: "g-1" }),
      ],
      [
        "quota-exceeded",
        "its class is bounded now",
        (plane) => plane.quota({ classes: { "": NOTHING } }),
      ],
      [
        "quota-exceeded",
        "its region is bounded now",
        (plane) => plane.quota({ regions: { west: NOTHING } }),
      ],
      [
        "taint-not-tolerated",
        "its node is tainted now",
        (plane) =>
          plane.renode("w-1", { taints: [{ key: "gone", value: "", effect: "no-schedule" }] }),
      ],
      [
        "node-full",
        "its node is smaller now",
        (plane) => plane.renode("w-1", { capacity: { ...NOTHING, memoryMiB: 2_000 } }),
      ],
      [
        "policy-moved",
        "another policy revision is in force",
        (plane) => {
          plane.revision("r-2", DEGRADED);
          plane.activate("r-2");
        },
      ],
    ];
  test.each(broken)("is sent away for %s when %s [DG5]", (rule, _, breaks) => {
    const plane = back();
    expect(plane.breaks(0, rule)).toBe("evidence-wrong");
    breaks(plane);
    expect(plane.confirm()).toBe("not-confirmed");
    expect(plane.breaks(0, "another-rule")).toBe("evidence-wrong");
    expect(plane.breaks(0, rule)).toBe("committed");
    expect(plane.replica().status.stopping).toMatchObject({ reason: "unconfirmed" });
    expect(plane.lastCommit.evidence).toEqual({ kind: "not-confirmed", region: "west", rule });
  });

  test("is no reason to keep others of its kind away from itself [DG5]", () => {
    const affinity = {
      required: [],
      preferred: [],
      antiPreferred: [],
      antiRequired: [{ by: "node", labels: {} }],
    };
    const plane = back(1, { affinity, maxPerNode: 1 });
    expect(plane.confirm()).toBe("committed");
  });

  test("goes only as far as it has to: those that were asked to stop count as gone [DG5]", () => {
    const plane = back(3);
    plane.quota({ limit: { ...amountsOf(1), memoryMiB: 1_000 } });
    expect(plane.breaks(0, "quota-exceeded")).toBe("committed");
    expect(plane.confirm(1)).toBe("not-confirmed");
    expect(plane.breaks(1, "quota-exceeded")).toBe("committed");
    expect(plane.breaks(2, "quota-exceeded")).toBe("evidence-wrong");
    expect(plane.confirm(2)).toBe("committed");
  });

  test("stays where a node takes nothing new, and goes whatever its workload can spare [DG5]", () => {
    const plane = back(2, { disruption: { maxUnavailable: 0 } });
    plane.renode("w-1", { draining: true });
    expect(plane.confirm(0)).toBe("committed");
    const { session, incarnation } = plane.replica(1).status;
    for (const stage of ["starting", "serving"] as const) {
      plane.must({
        kind: "report",
        replica: indexKey(1),
        incarnation,
        node: "w-1",
        session,
        stage,
      });
    }
    plane.quota({ limit: NOTHING });
    expect(plane.breaks(1, "quota-exceeded")).toBe("committed");
  });
});

describe("its time", () => {
  test("is over to the millisecond, also while the region is marked, and then it is not confirmed any more [DG6]", () => {
    const plane = aPartitionedPlane();
    plane.nowMs = 1_000;
    plane.provisional();
    plane.nowMs = 1_000 + CONFIRM_MS - 1;
    expect(plane.overdue()).toBe("confirm-not-due");
    plane.nowMs += 1;
    expect(plane.unmark()).toBe("committed");
    expect(plane.confirm()).toBe("not-confirmed");
    expect(plane.mark("again")).toBe("committed");
    expect(plane.overdue()).toBe("committed");
    expect(plane.replica().status.stopping).toMatchObject({ reason: "unconfirmed" });
  });

  test("is ten minutes by default, and begins anew with a leadership [DG6]", () => {
    const plane = aPartitionedPlane({ ...DEGRADED, degraded: { lowRisk: [""] } }).provisional();
    plane.nowMs = 599_999;
    expect(plane.overdue()).toBe("confirm-not-due");
    plane.nowMs = 600_000;
    plane.lead(2);
    expect(plane.overdue()).toBe("confirm-not-due");
    plane.nowMs = 1_199_999;
    expect(plane.overdue()).toBe("confirm-not-due");
    plane.nowMs = 1_200_000;
    expect(plane.overdue()).toBe("committed");
  });

  test("is told of the mark it was bound under [DG6]", () => {
    const plane = aPartitionedPlane().provisional();
    plane.nowMs = CONFIRM_MS;
    const evidence = { kind: "confirm-overdue", override: "another" } as const;
    expect(plane.sendAway(0, evidence)).toBe("evidence-wrong");
  });
});

describe("the controller that settles a region", () => {
  test("is one controller, and settles what is provisional and nothing else [DG7]", () => {
    const plane = back();
    expect(plane.confirm(0, "place")).toBe("not-owner");
    expect(plane.place(1, { node: "e-1" })).toBe("committed");
    expect(plane.confirm(1)).toBe("confirm-not-due");
    expect(plane.breaks(1, "quota-exceeded")).toBe("confirm-not-due");
  });

  test("waits for the region, also for another mark of it, and for the node [DG7]", () => {
    const plane = aPartitionedPlane().provisional();
    plane.mark("other", { ttlMs: 2 * TTL_MS });
    for (const nowMs of [0, TTL_MS - 40_000]) {
      plane.nowMs = nowMs;
      expect(plane.confirm()).toBe("region-partitioned");
      expect(plane.breaks(0, "quota-exceeded")).toBe("region-partitioned");
    }
    plane.unmark();
    plane.unmark("other");
    plane.vouchedGone("w-1");
    expect(plane.confirm()).toBe("confirm-not-due");
  });

  test("asks no replica twice [DG7]", () => {
    const plane = back();
    plane.quota({ limit: NOTHING });
    expect(plane.breaks(0, "quota-exceeded")).toBe("committed");
    expect(plane.breaks(0, "quota-exceeded")).not.toBe("committed");
    expect(plane.confirm()).toBe("wrong-stage");
  });
});
