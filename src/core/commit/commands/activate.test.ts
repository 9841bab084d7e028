import { describe, expect, test } from "vitest";
import { aPoliciedPlane } from "../../../../test/builders/a-policied-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { policyKey, policyRevisionKey } from "../../model/ids.ts";
import { ACTIVATIONS_KEPT, REASON_MOST } from "../../model/policy.ts";

describe("a revision", () => {
  test("never changes: what is another spec is told to be put as a new one [PY1]", () => {
    const plane = aPoliciedPlane();
    const refused = plane.revision("default-1", { scoring: "spread-out" });
    expect(refused).toMatchObject({
      kind: "refused",
      code: "revision-immutable",
      actual: "another; put that as a new revision and activate it",
    });
    expect(codeOf(plane.revision("default-1"))).toBe("committed");
    expect(plane.get(policyRevisionKey("default-1"))).toMatchObject({
      meta: { generation: 1 },
      status: { madeAt: expect.any(Number) },
    });
  });

  test("is not deleted while a pointer, a stage or a live binding names it [PY3]", () => {
    const plane = aPoliciedPlane([{}, {}, {}]);
    const remove = (name: string) =>
      codeOf(plane.send({ kind: "delete", key: policyRevisionKey(name), expect: {} }));
    expect(remove("default-1")).toBe("still-in-use");
    plane.activate("default-1", "default-2", { region: "eu" });
    expect(remove("default-2")).toBe("still-in-use");
    plane.activate("default-2", "default-1", { region: "eu" });
    plane.class("api", { value: 1 });
    plane.contender("api", { cpuMillis: 100 });
    plane.servesUnder("default-1", "api");
    plane.activate("default-1", "default-3");
    expect(remove("default-1")).toBe("still-in-use");
    expect(remove("default-2")).toBe("committed");
  });
});

describe("an activation", () => {
  test("moves the pointer and writes down who, from where, to where and why [PY4]", () => {
    const plane = aPoliciedPlane();
    plane.nowMs = 5_000;
    expect(codeOf(plane.activate("default-1", "default-2"))).toBe("committed");
    const { spec, status, meta } = plane.policy();
    expect(spec).toEqual({ active: "default-2" });
    expect(meta.generation).toBe(2);
    expect(status.history).toEqual([
      { by: "user", atMs: 0, from: "", to: "default-1", reason: "the policy was made" },
      { by: "user", atMs: 5_000, from: "default-1", to: "default-2", reason: "a test" },
    ]);
    for (let at = 0; at < ACTIVATIONS_KEPT; at += 1) {
      plane.activate(`default-${2 - (at % 2)}`, `default-${1 + (at % 2)}`);
    }
    expect(plane.policy().status.history).toHaveLength(ACTIVATIONS_KEPT);
  });

  test("of two people who saw the same revision in force the second moves nothing [PY5]", () => {
    const plane = aPoliciedPlane([{}, {}, {}]);
    expect(codeOf(plane.activate("default-1", "default-2"))).toBe("committed");
    const late = plane.activate("default-1", "default-3");
    expect(late).toMatchObject({ kind: "conflict", code: "policy-moved", actual: "default-2" });
    expect(plane.policy().spec).toEqual({ active: "default-2" });
  });

  test("begins in one region, goes on everywhere, and leaves no stage of another alone [PY4]", () => {
    const plane = aPoliciedPlane([{}, {}, {}]);
    expect(codeOf(plane.activate("default-1", "default-2", { region: "nowhere" }))).toBe(
      "no-such-object",
    );
    expect(codeOf(plane.activate("default-1", "default-2", { region: "eu" }))).toBe("committed");
    expect(plane.policy().spec.stages).toEqual([{ region: "eu", revision: "default-2" }]);
    expect(codeOf(plane.activate("default-1", "default-3"))).toBe("policy-staged");
    expect(codeOf(plane.activate("default-1", "default-2", { region: "eu" }))).toBe("policy-moved");
    expect(codeOf(plane.activate("default-1", "default-2"))).toBe("committed");
    expect(plane.policy().spec).toEqual({ active: "default-2" });
    expect(codeOf(plane.activate("default-2", "default-2"))).toBe("already-active");
  });

  test("is the only way to move the pointer, and a person's [PY4] [ST1]", () => {
    const plane = aPoliciedPlane();
    expect(codeOf(plane.pointer({ active: "default-2" }))).toBe("pointer-not-put");
    expect(codeOf(plane.pointer({ scoring: "best-fit" }))).toBe("pointer-not-put");
    expect(codeOf(plane.pointer({ active: "default-1" }))).toBe("committed");
    expect(codeOf(plane.pointer({ active: "default-9" }, "other"))).toBe("no-such-object");
    const ask = { kind: "activate", policy: "default", from: "default-1", reason: "" } as const;
    expect(codeOf(plane.send({ ...ask, to: "default-2" }, { role: "admit" }))).toBe("not-owner");
    const long = plane.activate("default-1", "default-2", { reason: "x".repeat(REASON_MOST + 1) });
    expect(codeOf(long)).toBe("bad-object");
    expect(codeOf(plane.activate("default-1", "default-9"))).toBe("no-such-object");
  });

  test("leads from scoring of its own to a revision; such a policy is written as ever [PY4]", () => {
    const plane = aPoliciedPlane();
    plane.pointer({ scoring: "best-fit" }, "old");
    expect(codeOf(plane.pointer({ scoring: "spread-out" }, "old"))).toBe("committed");
    expect(codeOf(plane.activate("", "default-1", { policy: "old", region: "eu" }))).toBe(
      "policy-staged",
    );
    expect(codeOf(plane.activate("", "default-1", { policy: "old" }))).toBe("committed");
    expect(plane.policy("old").spec).toEqual({ active: "default-1" });
    plane.must({ kind: "delete", key: policyKey("old"), expect: {} });
  });
});

describe("a rollback", () => {
  const PLAN = { bindings: "drain", reservations: "repair" } as const;

  test("is a move to an earlier revision, under the plan of the one that is left [PY7]", () => {
    const plane = aPoliciedPlane([{}, { onRollback: PLAN }]);
    plane.activate("default-1", "default-2");
    expect(plane.policy().status.left).toBeUndefined();
    plane.activate("default-2", "default-1");
    expect(plane.policy().status.history?.at(-1)).toMatchObject({ rollback: PLAN });
    expect(plane.policy().status.left).toEqual([{ revision: "default-2", plan: PLAN }]);
    plane.activate("default-1", "default-2");
    expect(plane.policy().status.left).toBeUndefined();
  });

  test("of a region is about that region, until the revision is in force there again [PY7]", () => {
    const plane = aPoliciedPlane([{}, { onRollback: PLAN }]);
    plane.class("api", { value: 1 });
    plane.contender("api", { cpuMillis: 100 });
    const region = "eu";
    plane.activate("default-1", "default-2", { region });
    plane.servesUnder("default-2", "api");
    plane.activate("default-2", "default-1", { region });
    const left = [{ revision: "default-2", region, plan: PLAN }];
    expect(plane.policy()).toMatchObject({ spec: { active: "default-1" }, status: { left } });
    plane.activate("default-1", "default-2", { region });
    expect(plane.policy().status.left).toBeUndefined();
  });
});
