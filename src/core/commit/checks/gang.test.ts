import { describe, expect, test } from "vitest";
import {
  aPlane,
  type Plane,
  putting,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Uid } from "../../model/ids.ts";
import type { ReplicaStatus } from "../../model/objects.ts";
import type { Binding } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const GANG = { deadlineMs: 60_000 };

const to = (index: number, incarnation = 1): Binding => ({
  replica: indexKey(index),
  incarnation,
  node: "a-1",
  deviceIds: [],
});

const bindAll = (plane: Plane, ...bindings: readonly Binding[]): Outcome =>
  plane.send({ kind: "bind-all", bindings });

/** A gang of which so many indexes are queued, in the order of their numbers. */
function aGang(replicas: number, queued = replicas, of: WorkloadSpecParts = {}): Plane {
  const plane = aPlane({ desired: { replicas, gang: GANG, ...of } });
  for (let index = 0; index < queued; index += 1) plane.queued(index);
  return plane;
}

function plantIndex(plane: Plane, index: number, status: Partial<ReplicaStatus>, uid?: Uid): void {
  const workloadUid = uid ?? plane.workload().meta.uid;
  plane.plant(aReplica({ index, workloadUid, ...status }));
}

const giveUp = (plane: Plane, index = 0, workload = WORKLOAD): Outcome => {
  const evidence = { kind: "gang-deadline", workload } as const;
  return plane.send({ kind: "evict", replica: indexKey(index), incarnation: 1, evidence });
};

const put = (of: WorkloadSpecParts): Outcome =>
  aPlane().send(putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec(of) }));

describe("a gang", () => {
  test("is bound whole [GA1]", () => {
    expect(codeOf(bindAll(aGang(3), to(0), to(1), to(2)))).toBe("committed");
  });

  test("is not bound in part, by one command or the other [GA1]", () => {
    const plane = aGang(3);
    expect(bindAll(plane, to(0), to(2))).toMatchObject({
      code: "gang-incomplete",
      rule: "GA1",
      field: WORKLOAD,
      actual: "index 1 has no node and gets none",
    });
    expect(codeOf(plane.send({ kind: "bind", ...to(0) }))).toBe("gang-incomplete");
    expect(plane.replica(0).status.node).toBeUndefined();
  });

  test("of one is bound like any other replica [GA1]", () => {
    expect(codeOf(aGang(1).send({ kind: "bind", ...to(0) }))).toBe("committed");
  });

  test.each<{ title: string; status: Partial<ReplicaStatus>; code: string }>([
    { title: "is admitted", status: { stage: "admitted" }, code: "gang-incomplete" },
    { title: "has failed", status: { stage: "failed", failures: 1 }, code: "gang-incomplete" },
    { title: "was released", status: { stage: "released" }, code: "gang-incomplete" },
    {
      title: "is being stopped",
      status: {
        stage: "serving",
        node: "a-1",
        stopping: { reason: "drain", sinceMs: 0 },
      },
      code: "gang-incomplete",
    },
    { title: "serves", status: { stage: "serving", node: "a-1" }, code: "committed" },
    { title: "is out of sight", status: { stage: "unknown", node: "a-1" }, code: "committed" },
    { title: "has succeeded", status: { stage: "succeeded" }, code: "committed" },
  ])("gets a lost member back while another $title: $code [GA1]", ({ status, code }) => {
    const plane = aGang(2, 1);
    plantIndex(plane, 1, status);
    expect(codeOf(bindAll(plane, to(0)))).toBe(code);
  });

  test("does not count what a namesake left running in its index [GA1]", () => {
    const plane = aGang(2, 1);
    plantIndex(plane, 1, { stage: "serving", node: "a-1" }, "of-a-namesake" as Uid);
    expect(codeOf(bindAll(plane, to(0)))).toBe("gang-incomplete");
  });

  test("that grows gets its new members together [GA1]", () => {
    const plane = aGang(1);
    plane.must({ kind: "bind", ...to(0) });
    plane.putDesired({ replicas: 3, gang: GANG });
    plane.queued(1);
    plane.queued(2);
    expect(codeOf(bindAll(plane, to(1)))).toBe("gang-incomplete");
    expect(codeOf(bindAll(plane, to(1), to(2)))).toBe("committed");
  });

  test("is desired state of the workload and no new template [OB6]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.putDesired({ replicas: 2, gang: GANG });
    expect(plane.workload()).toMatchObject({
      meta: { generation: 2 },
      status: { templateGeneration: 1 },
    });
  });
});

describe("a gang that gives its quota back", () => {
  test("loses its place in the queue and what was reserved for it [GA3]", () => {
    const plane = aGang(2, 2, { cpuMillis: 100 });
    expect(codeOf(giveUp(plane, 1))).toBe("committed");
    expect(plane.replica(1).status).toMatchObject({ stage: "released" });
    expect(plane.account().reserved.cpuMillis).toBe(100);
  });

  test("does so only before it was bound [EV2]", () => {
    const plane = aGang(1);
    plane.must({ kind: "bind", ...to(0) });
    expect(codeOf(giveUp(plane))).toBe("evidence-wrong");
  });

  test("has to be one, and the one that is named [EV2]", () => {
    const plane = aGang(1);
    expect(codeOf(giveUp(plane, 0, "Workload/payments/other" as typeof WORKLOAD))).toBe(
      "evidence-wrong",
    );
    plane.putDesired({ replicas: 1 });
    expect(codeOf(giveUp(plane))).toBe("evidence-wrong");
  });

  test("is recorded only by the controller that admitted it [ST1]", () => {
    const plane = aGang(1);
    const evidence = { kind: "gang-deadline", workload: WORKLOAD } as const;
    const evict = { kind: "evict", replica: indexKey(0), incarnation: 1, evidence } as const;
    expect(codeOf(plane.send(evict, { role: "place" }))).toBe("not-owner");
  });
});

describe("the desired state of a gang", () => {
  test("is for at most as many as one command binds [OB5]", () => {
    expect(codeOf(put({ replicas: 1_024, gang: GANG }))).toBe("committed");
    expect(put({ replicas: 1_025, gang: GANG })).toMatchObject({
      code: "bad-object",
      field: `${WORKLOAD} spec.replicas`,
    });
    expect(codeOf(put({ replicas: 0, gang: GANG }))).toBe("committed");
  });

  test("names a deadline of a day at most [GA5] [OB5]", () => {
    expect(codeOf(put({ gang: { deadlineMs: 1 } }))).toBe("committed");
    expect(codeOf(put({ gang: { deadlineMs: 86_400_000 } }))).toBe("committed");
    for (const deadlineMs of [0, -1, 1.5, Number.NaN, 86_400_001]) {
      expect(put({ gang: { deadlineMs } })).toMatchObject({
        code: "bad-object",
        field: `${WORKLOAD} spec.gang.deadlineMs`,
      });
    }
  });
});
