import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import {
  aPlane,
  type Plane,
  putting,
  reservationKey,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const SURPLUS: Evidence = { kind: "surplus", workload: WORKLOAD };
const DRAIN: Evidence = { kind: "drain", node: "a-1" };

function evict(
  plane: Plane,
  evidence: Evidence,
  of: { incarnation?: number; role?: Role } = {},
): Outcome {
  const command = {
    kind: "evict",
    replica: indexKey(),
    incarnation: of.incarnation ?? 1,
    evidence,
  } as const;
  return plane.send(command, of.role === undefined ? {} : { role: of.role });
}

const drain = (plane: Plane, name = "a-1"): void =>
  plane.must(putting(nodeKey(name), { kind: "Node", spec: aNodeSpec({ draining: true }) }));

describe("evicting a surplus replica", () => {
  test("asks one that holds a node to stop, and takes nothing from it [BD2]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    plane.nowMs = 70;
    expect(codeOf(evict(plane, SURPLUS))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "serving",
      node: "a-1",
      stopping: { reason: "surplus", sinceMs: 70 },
    });
    expect(plane.account().committed.cpuMillis).toBe(100);
  });

  test("ends one that was not bound and gives its reservation back [RS2]", () => {
    const plane = aPlane();
    plane.queued();
    plane.putDesired({ replicas: 0 });
    expect(codeOf(evict(plane, SURPLUS))).toBe("committed");
    expect(plane.replica().status).toMatchObject({ stage: "released" });
    expect(plane.get(reservationKey(indexKey()))).toBeUndefined();
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 1000 },
      reserved: { cpuMillis: 0 },
    });
  });

  test("ends one that holds nothing yet [ST1]", () => {
    const plane = aPlane();
    plane.admitted();
    plane.putDesired({ replicas: 0 });
    expect(codeOf(evict(plane, SURPLUS))).toBe("committed");
    expect(plane.replica().status.stage).toBe("released");
  });

  test("is not borne out while the workload wants the index [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(evict(plane, SURPLUS)).toMatchObject({ kind: "conflict", code: "evidence-wrong" });
    expect(plane.replica().status.stopping).toBeUndefined();
  });

  test("is borne out by a new template generation and by a deleted workload [BD2]", () => {
    const changed = aPlane({ desired: { type: "batch" } });
    changed.serving();
    changed.putDesired({ type: "batch", command: ["serve", "--v2"] });
    expect(codeOf(evict(changed, SURPLUS))).toBe("committed");
    const deleted = aPlane();
    deleted.serving();
    deleted.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(codeOf(evict(deleted, SURPLUS))).toBe("committed");
  });

  test("is the admitting controller's alone [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    for (const role of ["user", "place", "drain-node", "agent"] as const) {
      expect(evict(plane, SURPLUS, { role })).toMatchObject({ kind: "refused", code: "not-owner" });
    }
  });

  test("a replica at rest is not evicted, and one that is stopping not again [ST2]", () => {
    const plane = aPlane();
    const { key } = plane.serving();
    plane.putDesired({ replicas: 0 });
    evict(plane, SURPLUS);
    expect(evict(plane, SURPLUS)).toMatchObject({ kind: "conflict", code: "wrong-stage" });
    plane.must({
      kind: "report",
      replica: key,
      incarnation: 1,
      node: "a-1",
      session: 1,
      stage: "released",
    });
    expect(codeOf(evict(plane, SURPLUS))).toBe("wrong-stage");
  });

  test("speaks of the replica's present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    expect(codeOf(evict(plane, SURPLUS, { incarnation: 2 }))).toBe("wrong-incarnation");
  });

  test("a replica that does not exist is a conflict [OB1]", () => {
    expect(codeOf(evict(aPlane(), SURPLUS))).toBe("no-such-object");
  });

  test("needs a surplus index or a drain, and no other evidence will do [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    plane.putDesired({ replicas: 0 });
    const others: readonly Evidence[] = [
      { kind: "node-fenced", node: "a-1", session: 1 },
      { kind: "session-ended", node: "a-1", session: 1 },
      { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
      { kind: "person", name: "ops", statement: "away with it" },
      { kind: "owner-gone", owner: indexKey() },
    ];
    for (const evidence of others) {
      expect(evict(plane, evidence, { role: "admit" })).toMatchObject({
        kind: "refused",
        code: "evidence-missing",
      });
    }
  });
});

describe("evicting from a draining node", () => {
  test("asks a wanted replica to stop [EV1]", () => {
    const plane = aPlane();
    plane.serving();
    drain(plane);
    expect(codeOf(evict(plane, DRAIN))).toBe("committed");
    expect(plane.replica().status.stopping?.reason).toBe("drain");
  });

  test("takes one at a time of a service that states no budget [MT6]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 2 });
    plane.serving();
    plane.serving({ index: 1 });
    drain(plane);
    const second = {
      kind: "evict",
      replica: indexKey(1),
      incarnation: 1,
      evidence: DRAIN,
    } as const;
    plane.must({ kind: "evict", replica: indexKey(), incarnation: 1, evidence: DRAIN });
    expect(codeOf(plane.send(second))).toBe("disruption-budget");
    // The process of the first is gone, and nothing serves in its place yet.
    const { session } = plane.replica().status;
    plane.must({
      kind: "report",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      session,
      stage: "released",
    });
    expect(codeOf(plane.send(second))).toBe("disruption-budget");
  });

  test("is not borne out while the node is not draining [EV2]", () => {
    const plane = aPlane();
    plane.serving();
    expect(evict(plane, DRAIN)).toMatchObject({
      kind: "conflict",
      code: "evidence-wrong",
      actual: "not draining",
    });
  });

  test("is not borne out for a replica on another node or on none [EV2]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    drain(plane, "b-1");
    const elsewhere: Evidence = { kind: "drain", node: "b-1" };
    plane.queued();
    expect(evict(plane, elsewhere)).toMatchObject({ code: "evidence-wrong", actual: "no node" });
    plane.must({ kind: "bind", replica: indexKey(), incarnation: 1, node: "a-1", deviceIds: [] });
    expect(evict(plane, elsewhere)).toMatchObject({ code: "evidence-wrong", actual: "a-1" });
  });

  test("is the draining controller's alone [ST1]", () => {
    const plane = aPlane();
    plane.serving();
    drain(plane);
    for (const role of ["user", "admit", "agent"] as const) {
      expect(codeOf(evict(plane, DRAIN, { role }))).toBe("not-owner");
    }
  });
});
