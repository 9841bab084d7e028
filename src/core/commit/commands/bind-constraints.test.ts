import { describe, expect, test } from "vitest";
import { aPlane, type Plane, indexKey } from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Affinity } from "../../model/objects.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const bind = (plane: Plane, index: number, node: string, deviceIds: string[] = []): Outcome =>
  plane.send(
    { kind: "bind", replica: indexKey(index), incarnation: 1, node, deviceIds },
    { role: "place" },
  );

const bindAll = (plane: Plane, nodes: readonly string[]): Outcome => {
  const bindings = nodes.map((node, index) => ({
    replica: indexKey(index),
    incarnation: 1,
    node,
    deviceIds: [],
  }));
  return plane.send({ kind: "bind-all", bindings }, { role: "place" });
};

/** Nobody of the tenant beside another in one zone. */
const APART: Affinity = {
  required: [],
  preferred: [],
  antiRequired: [{ by: "zone", labels: {} }],
  antiPreferred: [],
};

function queued(plane: Plane, count: number): Plane {
  for (let index = 0; index < count; index += 1) plane.queued(index);
  return plane;
}

describe("shares of a device", () => {
  const device = { class: "gpu", models: ["A100"], count: 1, shareMillis: 400 };
  const pools = [
    { class: "gpu", model: "A100", ids: ["g0"] },
    { class: "gpu", model: "V100", ids: ["g1"] },
  ];

  test("are given away up to the whole of it, and no further [BD9]", () => {
    const plane = queued(aPlane({ node: { pools }, desired: { device, replicas: 3 } }), 3);
    expect(codeOf(bind(plane, 0, "a-1", ["g0"]))).toBe("committed");
    expect(codeOf(bind(plane, 1, "a-1", ["g0"]))).toBe("committed");
    expect(plane.ledger.objects.useOf("a-1").devices.get("g0")).toEqual({
      usedMillis: 800,
      owners: [indexKey(0), indexKey(1)],
    });
    expect(codeOf(bind(plane, 2, "a-1", ["g0"]))).toBe("device-taken");
  });

  test("are of an asked model [BD5]", () => {
    const plane = queued(aPlane({ node: { pools }, desired: { device } }), 1);
    expect(codeOf(bind(plane, 0, "a-1", ["g1"]))).toBe("device-taken");
  });
});

test("nothing is bound to a forecast [BD10]", () => {
  const plane = queued(aPlane({ node: { supply: "soft" } }), 1);
  expect(bind(plane, 0, "a-1")).toMatchObject({ kind: "conflict", code: "supply-is-soft" });
});

test("a node takes no more replicas than its cap [BD11]", () => {
  const plane = queued(aPlane({ node: { maxReplicas: 1 }, desired: { replicas: 2 } }), 2);
  expect(codeOf(bind(plane, 0, "a-1"))).toBe("committed");
  expect(bind(plane, 1, "a-1")).toMatchObject({ code: "node-full", field: "Node//a-1 replicas" });
});

test("a workload has no more replicas on a node than its own cap [BD12]", () => {
  const plane = queued(aPlane({ desired: { maxPerNode: 1, replicas: 2 } }), 2);
  plane.joined("b-1");
  expect(codeOf(bind(plane, 0, "a-1"))).toBe("committed");
  expect(bind(plane, 1, "a-1")).toMatchObject({ kind: "conflict", code: "too-many-on-node" });
  expect(codeOf(bind(plane, 1, "b-1"))).toBe("committed");
});

test("a fixed port is exclusive on a node [BD90]", () => {
  const fixedPorts = { http: 8080 };
  const plane = queued(aPlane({ desired: { fixedPorts, replicas: 2 } }), 2);
  plane.joined("b-1");
  expect(codeOf(bind(plane, 0, "a-1"))).toBe("committed");
  expect(bind(plane, 1, "a-1")).toMatchObject({
    kind: "conflict",
    code: "port-taken",
    field: "Node//a-1 port 8080",
  });
  expect(codeOf(bind(plane, 1, "b-1"))).toBe("committed");
});

test("who must be kept apart is, whatever the scheduler saw [BD13]", () => {
  const plane = queued(aPlane({ desired: { affinity: APART, replicas: 2 } }), 2);
  plane.joined("a-2");
  plane.joined("b-1", { zone: "eu-b" });
  expect(codeOf(bind(plane, 0, "a-1"))).toBe("committed");
  expect(bind(plane, 1, "a-2")).toMatchObject({
    kind: "conflict",
    code: "kept-apart",
    field: "Node//a-2 zone",
  });
  expect(codeOf(bind(plane, 1, "b-1"))).toBe("committed");
});

describe("many binds in one command", () => {
  test("are checked as if the ones before were there: caps [BD11] [BD12]", () => {
    const capped = queued(aPlane({ desired: { maxPerNode: 1, replicas: 2 } }), 2);
    expect(codeOf(bindAll(capped, ["a-1", "a-1"]))).toBe("too-many-on-node");
    const small = queued(aPlane({ node: { maxReplicas: 1 }, desired: { replicas: 2 } }), 2);
    expect(codeOf(bindAll(small, ["a-1", "a-1"]))).toBe("node-full");
  });

  test("are checked as if the ones before were there: fixed ports [BD90]", () => {
    const plane = queued(aPlane({ desired: { fixedPorts: { http: 8080 }, replicas: 2 } }), 2);
    plane.joined("b-1");
    expect(codeOf(bindAll(plane, ["a-1", "a-1"]))).toBe("port-taken");
    expect(codeOf(bindAll(plane, ["a-1", "b-1"]))).toBe("committed");
  });

  test("are checked as if the ones before were there: anti-affinity [BD13]", () => {
    const plane = queued(aPlane({ desired: { affinity: APART, replicas: 2 } }), 2);
    plane.joined("a-2");
    plane.joined("b-1", { zone: "eu-b" });
    expect(codeOf(bindAll(plane, ["a-1", "a-2"]))).toBe("kept-apart");
    expect(codeOf(bindAll(plane, ["a-1", "b-1"]))).toBe("committed");
  });
});
