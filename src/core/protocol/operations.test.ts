import { describe, expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Uid } from "../model/ids.ts";
import {
  admitOperation,
  bindAllOperation,
  bindOperation,
  deleteOperation,
  enqueueOperation,
  evictOperation,
  finalizeOperation,
  healthOperation,
  leaseOperation,
  queueOperation,
  reclaimOperation,
  releaseOperation,
  reportOperation,
  reserveOperation,
} from "./operations.ts";

const OTHER = "another-uid" as Uid;

describe("an operation id", () => {
  test("is the same whatever stage, node or revision the sender saw [OP1]", () => {
    const early = aReplica({ stage: "admitted", revision: 3 });
    const late = aReplica({ stage: "queued", revision: 9, node: "a-1" });
    for (const name of [reserveOperation, queueOperation, bindOperation, releaseOperation]) {
      expect(name(late)).toBe(name(early));
    }
    expect(evictOperation(late, "drain")).toBe(evictOperation(early, "drain"));
  });

  test("is another one in the replica's next incarnation, or for its namesake [OP1]", () => {
    const first = aReplica();
    for (const name of [reserveOperation, queueOperation, bindOperation, releaseOperation]) {
      expect(name(aReplica({ incarnation: 2 }))).not.toBe(name(first));
      expect(name(aReplica({ uid: OTHER }))).not.toBe(name(first));
    }
  });

  test("names what is to become true, so no two kinds of intent share one [OP2]", () => {
    const replica = aReplica();
    const workload = aWorkload();
    const all = [
      admitOperation(workload, 1, { index: 0, incarnation: 1 }),
      enqueueOperation(workload, 1, [{ index: 0, incarnation: 1 }]),
      bindAllOperation([replica]),
      reserveOperation(replica),
      queueOperation(replica),
      bindOperation(replica),
      releaseOperation(replica),
      evictOperation(replica, "surplus"),
      evictOperation(replica, "drain"),
      reportOperation(replica, "starting"),
      deleteOperation(replica),
      finalizeOperation(workload),
      reclaimOperation(aReservation(replica)),
      healthOperation({ node: "a-1", uid: "u1", session: 1, seq: 1, to: "suspect" }),
      leaseOperation("a-1", 1, 1),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test("of an admission is another one once the desired state has changed and come back [OP1]", () => {
    const before = admitOperation(aWorkload({ generation: 1 }), 1, { index: 1, incarnation: 1 });
    expect(admitOperation(aWorkload({ generation: 3 }), 1, { index: 1, incarnation: 1 })).not.toBe(
      before,
    );
    expect(admitOperation(aWorkload({ generation: 1 }), 1, { index: 2, incarnation: 1 })).not.toBe(
      before,
    );
    expect(admitOperation(aWorkload({ generation: 1 }), 1, { index: 1, incarnation: 2 })).not.toBe(
      before,
    );
  });

  test("of a report tells apart two times at which a process became ready [OP1]", () => {
    const once = reportOperation(aReplica({ revision: 5 }), "ready");
    expect(reportOperation(aReplica({ revision: 8 }), "ready")).not.toBe(once);
  });

  test("of one silence is named by the last renewal before it [OP1]", () => {
    const first = healthOperation({ node: "a-1", uid: "u1", session: 1, seq: 7, to: "suspect" });
    expect(healthOperation({ node: "a-1", uid: "u1", session: 1, seq: 8, to: "suspect" })).not.toBe(
      first,
    );
    expect(healthOperation({ node: "a-1", uid: "u1", session: 2, seq: 7, to: "suspect" })).not.toBe(
      first,
    );
    expect(healthOperation({ node: "a-1", uid: "u1", session: 1, seq: 7, to: "unknown" })).not.toBe(
      first,
    );
  });
});

type IndexAndIncarnation = readonly [index: number, incarnation: number];

const incarnations = (...indexes: readonly IndexAndIncarnation[]) =>
  indexes.map(([index, incarnation]) => ({ index, incarnation }));

const namesOf = (...indexes: readonly IndexAndIncarnation[]): string =>
  enqueueOperation(aWorkload(), 1, incarnations(...indexes))
    .split("/")
    .at(-1) ?? "";

describe("an operation for many indexes", () => {
  test("names every index and its incarnation, and runs of them in short [OP1]", () => {
    expect(namesOf([3, 1])).toBe("3.1");
    expect(namesOf([0, 1], [1, 1], [2, 1])).toBe("0-2.1");
    expect(namesOf([0, 1], [1, 2], [2, 2], [4, 2], [5, 2])).toBe("0.1,1-2.2,4-5.2");
    // An index that is missing in between is not in the run.
    expect(namesOf([0, 1], [2, 1])).toBe("0.1,2.1");
    expect(namesOf([9, 1], [10, 1], [11, 11])).toBe("9-10.1,11.11");
  });

  test("is another one for another cut, another incarnation, or the same index of a namesake [OP1]", () => {
    const indexes = [0, 1, 2].map((index) => aReplica({ index }));
    const first = bindAllOperation(indexes);
    expect(bindAllOperation(indexes.map((one) => ({ ...one })))).toBe(first);
    expect(bindAllOperation(indexes.slice(0, 2))).not.toBe(first);
    expect(bindAllOperation([aReplica({ incarnation: 2 }), ...indexes.slice(1)])).not.toBe(first);
    expect(bindAllOperation([aReplica({ uid: OTHER }), ...indexes.slice(1)])).not.toBe(first);
    const renewed = [0, 1, 2].map((index) => aReplica({ index, workloadUid: OTHER }));
    expect(bindAllOperation(renewed)).not.toBe(first);
  });

  test("is another one when the workload has changed since: an index may have gone and come again [OP1]", () => {
    const indexes = incarnations([0, 1], [1, 1]);
    const first = enqueueOperation(aWorkload(), 1, indexes);
    expect(enqueueOperation(aWorkload({ generation: 7 }), 1, indexes)).not.toBe(first);
  });
});
