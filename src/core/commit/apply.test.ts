import { describe, expect, test } from "vitest";
import { aPlane, putting, indexKey, WORKLOAD } from "../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../test/builders/a-workload.ts";
import { codeOf } from "../../../test/builders/code-of.ts";
import { tenantKey } from "../model/ids.ts";
import { enqueueOperation } from "../protocol/operations.ts";

const desired = (replicas: number) =>
  putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec({ replicas }) });

describe("operations", () => {
  test("an operation that had its effect is answered with the first outcome [OP1]", () => {
    const plane = aPlane();
    plane.queued();
    const bind = {
      kind: "bind",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    const first = plane.send(bind, { operation: "bind-it" });
    const { revision } = plane.ledger;
    const second = plane.send(bind, { operation: "bind-it" });
    expect(first).toEqual({ kind: "committed", revision });
    expect(second).toEqual({ kind: "duplicate", first, asOf: revision });
    expect(plane.ledger.revision).toBe(revision);
  });

  test("a known operation is answered although everything it rested on has changed [OP1]", () => {
    const plane = aPlane();
    plane.queued();
    const bind = {
      kind: "bind",
      replica: indexKey(),
      incarnation: 1,
      node: "a-1",
      deviceIds: [],
    } as const;
    plane.must(bind, { operation: "bind-it" });
    const boundAt = plane.ledger.revision;
    plane.vouchedGone();
    plane.putDesired({ replicas: 0 });
    plane.lead(2);
    const late = plane.send(bind, { operation: "bind-it", epoch: 1, role: "admit" });
    expect(late).toEqual({
      kind: "duplicate",
      first: { kind: "committed", revision: boundAt },
      asOf: plane.ledger.revision,
    });
  });

  test("an id that others have used up has its effect all the same [ID1]", () => {
    const plane = aPlane();
    const indexes = [{ index: 0, incarnation: 1 }];
    const enqueue = { kind: "enqueue", workload: WORKLOAD, generation: 1, indexes } as const;
    const id = enqueueOperation(plane.workload(), 1, indexes);
    // Everything in it can be read or worked out: eve is there first, and so is an agent.
    const eve = { role: "user", name: "eve" } as const;
    plane.must(desired(1), { operation: id, actor: eve });
    plane.must(
      { kind: "lease", node: "a-1", session: 2, seq: 1, kept: [] },
      { operation: id, role: "agent" },
    );
    expect(codeOf(plane.send(desired(1), { operation: id, actor: eve }))).toBe("duplicate");
    expect(codeOf(plane.send(enqueue, { operation: id }))).toBe("committed");
  });

  test("the same operation with another desired has no second effect [OP1]", () => {
    const plane = aPlane();
    plane.must(desired(2), { operation: "scale" });
    expect(codeOf(plane.send(desired(7), { operation: "scale" }))).toBe("duplicate");
    expect(plane.workload().spec.replicas).toBe(2);
  });

  test("an operation id belongs to one kind of command [OP2]", () => {
    const plane = aPlane();
    plane.must(desired(2), { operation: "mine" });
    const outcome = plane.send(
      { kind: "delete", key: WORKLOAD, expect: {} },
      { operation: "mine", epoch: 99 },
    );
    expect(outcome).toMatchObject({
      kind: "refused",
      code: "operation-reused",
      rule: "OP2",
      expected: "put",
      actual: "delete",
    });
    expect(plane.workload().meta.deletingMs).toBeUndefined();
  });

  test("a refusal is not remembered: the same operation may succeed later [OP3]", () => {
    const plane = aPlane();
    const admit = {
      kind: "admit",
      workload: WORKLOAD,
      generation: 1,
      index: 1,
      incarnation: 1,
    } as const;
    expect(codeOf(plane.send(admit, { operation: "index-1" }))).toBe("index-not-wanted");
    plane.putDesired({ replicas: 2 });
    expect(codeOf(plane.send(admit, { operation: "index-1" }))).toBe("committed");
  });

  test("a renewal is not remembered: sent again, it meets the order of renewals [OP3]", () => {
    const plane = aPlane();
    const renewal = { kind: "lease", node: "a-1", session: 1, seq: 2, kept: [] } as const;
    plane.must(renewal, { operation: "renewal-2" });
    expect(codeOf(plane.send(renewal, { operation: "renewal-2" }))).toBe("lease-replayed");
  });

  test("a forgotten operation meets the stage and incarnation rules and has no second effect [OP3]", () => {
    const plane = aPlane();
    plane.serving();
    // Under names that were never heard of: to the authority, a forgotten operation is a new one.
    expect(
      codeOf(
        plane.send({ kind: "admit", workload: WORKLOAD, generation: 1, index: 0, incarnation: 1 }),
      ),
    ).toBe("wrong-stage");
    expect(
      codeOf(plane.send({ kind: "reserve", replica: indexKey(), incarnation: 1, deadlineMs: 0 })),
    ).toBe("wrong-stage");
    expect(
      codeOf(
        plane.send({
          kind: "bind",
          replica: indexKey(),
          incarnation: 1,
          node: "a-1",
          deviceIds: [],
        }),
      ),
    ).toBe("already-bound");
  });
});

describe("leadership", () => {
  test("a command decided under an earlier leadership is a conflict that names the present one [EP1]", () => {
    const plane = aPlane();
    plane.lead(2);
    expect(plane.send(desired(2), { epoch: 1 })).toMatchObject({
      kind: "conflict",
      code: "stale-epoch",
      expected: 2,
      actual: 1,
    });
    expect(plane.workload().spec.replicas).toBe(1);
    expect(codeOf(plane.send(desired(2), { epoch: 2 }))).toBe("committed");
  });

  test("a command of a leadership that is yet to come is not committed either [EP1]", () => {
    expect(codeOf(aPlane().send(desired(2), { epoch: 2 }))).toBe("stale-epoch");
  });
});

describe("the record", () => {
  test("says who did what, when, on which view and under which leadership [EP1]", () => {
    const plane = aPlane();
    plane.nowMs = 555;
    const basis = plane.ledger.revision;
    plane.must(desired(2), { operation: "scale" });
    expect(plane.lastCommit).toMatchObject({
      revision: basis + 1,
      epoch: 1,
      atMs: 555,
      operation: "scale",
      actor: { role: "user" },
      command: "put",
      basis,
      evidence: undefined,
      changes: [{ key: WORKLOAD }],
    });
  });

  test("a no changes nothing and says at which revision it was given [RN4]", () => {
    const plane = aPlane();
    const { revision } = plane.ledger;
    const outcome = plane.send({ kind: "delete", key: tenantKey("nobody"), expect: {} });
    expect(outcome).toEqual({
      kind: "conflict",
      code: "no-such-object",
      rule: "OB1",
      field: tenantKey("nobody"),
      expected: "exists",
      actual: "missing",
      revision,
    });
    expect(plane.ledger.revision).toBe(revision);
  });
});
