import { describe, expect, test } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aPlane, putting, indexKey } from "../../../test/builders/a-plane.ts";
import { aQuota } from "../../../test/builders/a-quota.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { InvariantBroken } from "../model/assert.ts";
import { operationId, quotaKey } from "../model/ids.ts";
import { Ledger } from "./ledger.ts";
import { OPERATION_LIMITS } from "./operation-limits.ts";
import { CONTROLLERS } from "../protocol/operation-space.ts";

const KEPT = OPERATION_LIMITS.controllerOperations.value;
const actor = { role: "place", name: "place-1" } as const;

const known = (ledger: Ledger, id: string) => ledger.operations.of(CONTROLLERS, operationId(id));

describe("operations", () => {
  test("the 65,536 newest of controllers are remembered and the one before them is not [OP3]", () => {
    const ledger = new Ledger();
    for (let revision = 1; revision <= KEPT + 1; revision += 1) {
      ledger.fold(aCommit({ revision, actor, command: "bind" }));
    }
    expect(KEPT).toBe(65_536);
    expect(known(ledger, "operation-1")).toBeUndefined();
    expect(known(ledger, "operation-2")).toEqual({ revision: 2, command: "bind" });
    expect(known(ledger, `operation-${KEPT + 1}`)).toBeDefined();
  });

  test("renewals are not remembered and push nothing out [OP3]", () => {
    const ledger = new Ledger();
    ledger.fold(aCommit({ revision: 1, actor }));
    for (let revision = 2; revision <= KEPT + 10; revision += 1) {
      ledger.fold(aCommit({ revision, actor, command: "lease" }));
    }
    expect(known(ledger, "operation-1")).toBeDefined();
    expect(known(ledger, "operation-2")).toBeUndefined();
  });
});

describe("the log", () => {
  test("has no gaps and no repetitions [EP3]", () => {
    const ledger = new Ledger();
    ledger.fold(aCommit({ revision: 1 }));
    expect(() => ledger.fold(aCommit({ revision: 1 }))).toThrow(InvariantBroken);
    expect(() => ledger.fold(aCommit({ revision: 3 }))).toThrow("jumps from revision 1 to 3");
  });

  test("never goes back to an earlier leadership [EP3]", () => {
    const ledger = new Ledger();
    ledger.fold(aCommit({ revision: 1, epoch: 4 }));
    expect(() => ledger.fold(aCommit({ revision: 2, epoch: 3 }))).toThrow(InvariantBroken);
  });

  test("says when the present leadership began, on its own clock [EV3]", () => {
    const ledger = new Ledger();
    ledger.fold(aCommit({ revision: 1, epoch: 1, atMs: 900_000, command: "lead" }));
    ledger.fold(aCommit({ revision: 2, epoch: 2, atMs: 70, command: "lead" }));
    ledger.fold(aCommit({ revision: 3, epoch: 2, atMs: 500 }));
    expect(ledger).toMatchObject({ epoch: 2, leadSinceMs: 70, revision: 3 });
  });

  test("read back gives the same truth [EP5]", () => {
    const plane = aPlane({ desired: { replicas: 2 } });
    plane.serving({ index: 0 });
    plane.queued(1);
    const again = new Ledger();
    for (const commit of plane.commits) again.fold(commit);
    expect(again).toEqual(plane.ledger);
  });
});

describe("quota in double entry", () => {
  test("free, reserved and committed add up to the limit at every step of an incarnation [QT2]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 }, quota: { cpuMillis: 1000 } });
    const balances = (): readonly number[] => {
      const { free, reserved, committed } = plane.account();
      return [free.cpuMillis, reserved.cpuMillis, committed.cpuMillis];
    };
    expect(balances()).toEqual([1000, 0, 0]);
    plane.queued();
    expect(balances()).toEqual([700, 300, 0]);
    plane.must({ kind: "bind", replica: indexKey(), incarnation: 1, node: "a-1", deviceIds: [] });
    expect(balances()).toEqual([700, 0, 300]);
    const limit = { cpuMillis: 300, memoryMiB: 1000, deviceMillis: 0 };
    plane.must(putting(quotaKey("payments"), { kind: "Quota", spec: { limit } }));
    expect(balances()).toEqual([0, 0, 300]);
    const done = { node: "a-1", session: 1, stage: "released" } as const;
    plane.must({ kind: "report", replica: indexKey(), incarnation: 1, ...done });
    expect(balances()).toEqual([300, 0, 0]);
  });

  test("an authority whose accounts do not add up stops [QT2]", () => {
    const ledger = new Ledger();
    ledger.fold(aCommit({ revision: 1, put: [aQuota()] }));
    ledger.objects.accountOf("payments").free.cpuMillis += 1;
    const reservation = aReservation(aReplica());
    expect(() => ledger.fold(aCommit({ revision: 2, put: [reservation] }))).toThrow(
      "Quota of tenant payments is not conserved: cpuMillis limit+borrowed+overdrawn is 1000+0+0, free+reserved+committed is 901+100+0.",
    );
  });
});
