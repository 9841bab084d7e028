import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../../test/builders/a-plane.ts";
import type { TemplateParts } from "../../../../test/builders/a-template.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import type { Binding } from "../../protocol/command.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const bindAll = (plane: Plane, bindings: readonly Binding[], role: Role = "place"): Outcome =>
  plane.send({ kind: "bind-all", bindings }, { role });

const to = (
  index: number,
  node = "a-1",
  deviceIds: readonly string[] = [],
  incarnation = 1,
): Binding => ({
  replica: indexKey(index),
  incarnation,
  node,
  deviceIds,
});

/** Index after index on these devices of a-1. */
const on = (...ids: readonly string[]): readonly Binding[] =>
  ids.map((id, index) => to(index, "a-1", [id]));

const nodesOf = (plane: Plane, ...indexes: readonly number[]): readonly (string | undefined)[] =>
  indexes.map((index) => plane.replica(index).status.node);

/** Two nodes, and so many replicas in the queue. */
function aQueue(
  replicas: number,
  of: TemplateParts & { deviceIds?: readonly string[] } = {},
): Plane {
  const { deviceIds = [], ...desired } = of;
  const quota = { cpuMillis: 5000, memoryMiB: 5000, deviceMillis: 5000 };
  const plane = aPlane({ desired: { replicas, ...desired }, node: { deviceIds }, quota });
  plane.joined("b-1");
  for (let index = 0; index < replicas; index += 1) plane.queued(index);
  return plane;
}

describe("bind-all", () => {
  test("binds all of them in one commit, each with its own reservation [MN1] [RS2]", () => {
    const plane = aQueue(3, { cpuMillis: 300 });
    const before = plane.ledger.revision;
    expect(codeOf(bindAll(plane, [to(0), to(1), to(2, "b-1")]))).toBe("committed");
    expect(plane.ledger.revision).toBe(before + 1);
    expect(nodesOf(plane, 0, 1, 2)).toEqual(["a-1", "a-1", "b-1"]);
    expect(plane.ledger.objects.all("Reservation").size).toBe(0);
    expect(plane.account()).toMatchObject({
      reserved: { cpuMillis: 0 },
      committed: { cpuMillis: 900 },
    });
  });

  test("of one replica is the same as a bind of it [MN1]", () => {
    const one = aQueue(1);
    const other = aQueue(1);
    one.must({ kind: "bind", ...to(0) }, { operation: "same" });
    other.must({ kind: "bind-all", bindings: [to(0)] }, { operation: "same" });
    expect(other.lastCommit.changes).toEqual(one.lastCommit.changes);
  });
});

describe("all of them or none", () => {
  test.each([
    { title: "one is bound already [BD1]", last: to(2), code: "already-bound" },
    {
      title: "one is in another incarnation [ST3]",
      last: to(1, "a-1", [], 2),
      code: "wrong-incarnation",
    },
    {
      title: "one goes to a node that is not there [OB1]",
      last: to(1, "c-1"),
      code: "no-such-object",
    },
    {
      title: "one takes devices it did not ask for [BD5]",
      last: to(1, "a-1", ["g0"]),
      code: "device-taken",
    },
  ])("none, when $title [MN1]", ({ last, code }) => {
    const plane = aQueue(3);
    plane.must({ kind: "bind", ...to(2, "b-1") });
    expect(codeOf(bindAll(plane, [to(0), last]))).toBe(code);
    expect(nodesOf(plane, 0, 1)).toEqual([undefined, undefined]);
  });

  test("none, when the sender is not a scheduler [MN1] [ST1]", () => {
    const plane = aQueue(1);
    expect(codeOf(bindAll(plane, [to(0)], "admit"))).toBe("not-owner");
  });
});

describe("each is checked as if those before it were there [MN2]", () => {
  test("so that room for one is not given to two [MN2] [BD4]", () => {
    const plane = aQueue(3, { cpuMillis: 400 });
    expect(bindAll(plane, [to(0), to(1), to(2)])).toMatchObject({
      kind: "conflict",
      code: "node-full",
      expected: 400,
      actual: 200,
    });
    expect(nodesOf(plane, 0, 1, 2)).toEqual([undefined, undefined, undefined]);
    expect(codeOf(bindAll(plane, [to(0), to(1), to(2, "b-1")]))).toBe("committed");
  });

  test("so that a device is not given to two [MN2] [BD5]", () => {
    const plane = aQueue(2, { devices: 1, deviceIds: ["g0", "g1"] });
    expect(codeOf(bindAll(plane, [to(0, "a-1", ["g0"]), to(1, "a-1", ["g0"])]))).toBe(
      "device-taken",
    );
    expect(codeOf(bindAll(plane, [to(0, "a-1", ["g0"]), to(1, "a-1", ["g1"])]))).toBe("committed");
  });

  test("so that shares of one device do not add up to more than it [MN2] [BD9]", () => {
    const device = { class: "gpu", models: [], count: 1, shareMillis: 400 };
    const plane = aQueue(3, { device, deviceIds: ["g0", "g1"] });
    expect(codeOf(bindAll(plane, on("g0", "g0", "g0")))).toBe("device-taken");
    expect(codeOf(bindAll(plane, on("g0", "g0", "g1")))).toBe("committed");
  });

  test("so that a cap of the workload's own replicas holds [MN2] [BD12]", () => {
    const plane = aQueue(2, { maxPerNode: 1 });
    expect(codeOf(bindAll(plane, [to(0), to(1)]))).toBe("too-many-on-node");
    expect(codeOf(bindAll(plane, [to(0), to(1, "b-1")]))).toBe("committed");
  });

  test("so that those who must be kept apart are [MN2] [BD13]", () => {
    const antiRequired = [{ by: "zone", labels: {} }];
    const affinity = { required: [], preferred: [], antiRequired, antiPreferred: [] };
    const plane = aQueue(2, { affinity });
    expect(codeOf(bindAll(plane, [to(0), to(1, "b-1")]))).toBe("kept-apart");
    plane.joined("c-1", { zone: "eu-c" });
    expect(codeOf(bindAll(plane, [to(0), to(1, "c-1")]))).toBe("committed");
  });

  test("and checking one changes nothing of what is true [MN2]", () => {
    const plane = aQueue(2, { devices: 1, deviceIds: ["g0"] });
    const before = structuredClone(plane.ledger.objects.useOf("a-1"));
    bindAll(plane, [to(0, "a-1", ["g0"]), to(1, "a-1", ["g0"])]);
    expect(plane.ledger.objects.useOf("a-1")).toEqual(before);
  });
});

describe("what one command may name", () => {
  test("each replica once [MN3] [BD1]", () => {
    const plane = aQueue(1);
    expect(bindAll(plane, [to(0), to(0, "b-1")])).toMatchObject({
      code: "already-bound",
      field: indexKey(0),
    });
    expect(nodesOf(plane, 0)).toEqual([undefined]);
  });

  test("at least one binding and at most 1024 [MN3]", () => {
    const plane = aQueue(1);
    expect(bindAll(plane, [])).toMatchObject({ kind: "refused", code: "bad-object", actual: 0 });
    const many = Array.from({ length: 1_025 }, (_, index) => to(index));
    expect(codeOf(bindAll(plane, many))).toBe("bad-object");
  });
});
