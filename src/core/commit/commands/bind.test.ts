import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import {
  aPlane,
  type Plane,
  putting,
  indexKey,
  WORKLOAD,
} from "../../../../test/builders/a-plane.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import type { Role } from "../../model/actor.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Outcome } from "../../protocol/outcome.ts";

const bind = (
  plane: Plane,
  of: {
    index?: number;
    incarnation?: number;
    node?: string;
    deviceIds?: string[];
    role?: Role;
  } = {},
): Outcome =>
  plane.send(
    {
      kind: "bind",
      replica: indexKey(of.index),
      incarnation: of.incarnation ?? 1,
      node: of.node ?? "a-1",
      deviceIds: of.deviceIds ?? [],
    },
    { role: of.role ?? "place" },
  );

const respec = (plane: Plane, of: Parameters<typeof aNodeSpec>[0]): void =>
  plane.must(putting(nodeKey("a-1"), { kind: "Node", spec: aNodeSpec(of) }));

describe("the replica", () => {
  test("takes the node in its session, and what it had reserved is committed [RS2]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300 }, quota: { cpuMillis: 1000 } });
    plane.renew({ session: 4, seq: 1 });
    plane.queued();
    expect(codeOf(bind(plane))).toBe("committed");
    expect(plane.replica().status).toMatchObject({
      stage: "bound",
      node: "a-1",
      session: 4,
    });
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 700 },
      reserved: { cpuMillis: 0 },
      committed: { cpuMillis: 300 },
    });
    expect(plane.lastCommit.changes).toHaveLength(1);
  });

  test("is bound once: a second bind of the index is a conflict that names the first [BD1]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    plane.bound({ node: "a-1" });
    expect(bind(plane, { node: "b-1" })).toMatchObject({
      kind: "conflict",
      code: "already-bound",
      actual: "a-1",
    });
    expect(plane.replica().status.node).toBe("a-1");
  });

  test("is still bound when its node is unknown [BD1]", () => {
    const plane = aPlane();
    plane.joined("b-1");
    plane.serving();
    plane.vouchedGone("a-1");
    expect(plane.replica().status.stage).toBe("unknown");
    expect(codeOf(bind(plane, { node: "b-1" }))).toBe("already-bound");
  });

  test("is bound only while its workload has more replicas than the index's number [BD2]", () => {
    const plane = aPlane();
    plane.queued();
    plane.putDesired({ replicas: 0 });
    expect(bind(plane)).toMatchObject({ kind: "conflict", code: "index-not-wanted" });
  });

  test("is bound only in the workload's template generation [BD2]", () => {
    const plane = aPlane({ desired: { type: "batch" } });
    plane.queued();
    plane.putDesired({ type: "batch", command: ["serve", "--v2"] });
    expect(codeOf(bind(plane))).toBe("index-not-wanted");
  });

  test("is not bound when its workload is being deleted [BD2]", () => {
    const plane = aPlane();
    plane.queued();
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    expect(codeOf(bind(plane))).toBe("index-not-wanted");
  });

  test("is not bound for a namesake of its workload [BD2]", () => {
    const plane = aPlane();
    plane.queued();
    const spec = plane.workload().spec;
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    plane.must(putting(WORKLOAD, { kind: "Workload", spec }), { role: "admit" });
    plane.must(putting(WORKLOAD, { kind: "Workload", spec }));
    expect(plane.workload().meta.uid).not.toBe(plane.replica().spec.workloadUid);
    expect(codeOf(bind(plane))).toBe("index-not-wanted");
  });

  test("is bound by a placing controller only [ST1]", () => {
    const plane = aPlane();
    plane.queued();
    for (const role of ["user", "admit", "agent"] as const) {
      expect(bind(plane, { role })).toMatchObject({ kind: "refused", code: "not-owner" });
    }
  });

  test("is bound from queued and from nothing else [ST2]", () => {
    const plane = aPlane();
    plane.reserved();
    expect(bind(plane)).toMatchObject({
      kind: "conflict",
      code: "wrong-stage",
      actual: "admitted",
    });
  });

  test("is bound in its present incarnation [ST3]", () => {
    const plane = aPlane();
    plane.queued();
    expect(bind(plane, { incarnation: 2 })).toMatchObject({
      kind: "conflict",
      code: "wrong-incarnation",
    });
  });

  test("or its node may be missing, which is a conflict [OB1]", () => {
    const plane = aPlane();
    expect(codeOf(bind(plane))).toBe("no-such-object");
    plane.queued();
    expect(bind(plane, { node: "z-9" })).toMatchObject({
      code: "no-such-object",
      field: nodeKey("z-9"),
    });
  });
});

describe("the node", () => {
  test.each([
    { title: "draining [BD3]", spec: { draining: true }, actual: "draining" },
    {
      title: "cordoned [BD3]",
      spec: { cordons: [{ holder: "user", reason: "disk" }] },
      actual: "cordoned by user",
    },
  ])("takes nothing new while it is $title", ({ spec, actual }) => {
    const plane = aPlane();
    plane.queued();
    respec(plane, spec);
    expect(bind(plane)).toMatchObject({ kind: "conflict", code: "node-not-schedulable", actual });
    respec(plane, {});
    expect(codeOf(bind(plane))).toBe("committed");
  });

  test.each([
    { title: "suspect [BD3]", to: "suspect" as const },
    { title: "unknown [BD3]", to: "unknown" as const },
  ])("takes nothing new while it is $title", ({ to }) => {
    const plane = aPlane();
    plane.queued();
    plane.must({
      kind: "transition",
      key: nodeKey("a-1"),
      session: 1,
      from: "ready",
      to,
      evidence: { kind: "lease-expired", node: "a-1", session: 1, seq: 1 },
    });
    expect(bind(plane)).toMatchObject({ code: "node-not-schedulable", actual: to });
  });

  test("takes nothing new once it is fenced [BD3]", () => {
    const plane = aPlane();
    plane.queued();
    plane.vouchedGone();
    expect(bind(plane)).toMatchObject({ code: "node-not-schedulable", actual: "fenced" });
  });

  test("takes nothing new while it is being deleted [BD3]", () => {
    const plane = aPlane();
    plane.queued();
    const spec = plane.node().spec;
    plane.must(putting(nodeKey("a-1"), { kind: "Node", spec }, { finalizers: ["x"] }));
    plane.must({ kind: "delete", key: nodeKey("a-1"), expect: {} });
    expect(bind(plane)).toMatchObject({ code: "node-not-schedulable", actual: "being deleted" });
  });

  test("never holds more than it has, to the unit [BD4]", () => {
    const plane = aPlane({
      node: { cpuMillis: 1000 },
      desired: { cpuMillis: 400, replicas: 3 },
      quota: { cpuMillis: 9000 },
    });
    plane.bound({ index: 0 });
    plane.bound({ index: 1 });
    plane.queued(2);
    expect(bind(plane, { index: 2 })).toMatchObject({
      kind: "conflict",
      code: "node-full",
      field: "Node//a-1 cpuMillis",
      expected: 400,
      actual: 200,
    });
    respec(plane, { cpuMillis: 1200 });
    expect(codeOf(bind(plane, { index: 2 }))).toBe("committed");
  });

  test("has room again when a replica has left [BD4]", () => {
    const plane = aPlane({ node: { memoryMiB: 100 }, desired: { replicas: 2 } });
    const { key, status } = plane.serving({ index: 0 });
    plane.queued(1);
    expect(codeOf(bind(plane, { index: 1 }))).toBe("node-full");
    const { incarnation, session } = status;
    plane.must({
      kind: "report",
      replica: key,
      incarnation,
      node: "a-1",
      session,
      stage: "released",
    });
    expect(codeOf(bind(plane, { index: 1 }))).toBe("committed");
  });

  test("is in a region the workload allows [BD6]", () => {
    const plane = aPlane({ desired: { regions: ["us"] } });
    plane.joined("us-1", { region: "us", zone: "us-a" });
    plane.queued();
    expect(bind(plane, { node: "a-1" })).toMatchObject({
      kind: "refused",
      code: "location-not-allowed",
      expected: "us",
      actual: "eu",
    });
    expect(codeOf(bind(plane, { node: "us-1" }))).toBe("committed");
  });

  test("is in a zone the workload allows [BD6]", () => {
    const plane = aPlane({ desired: { regions: ["eu"], zones: ["eu-b"] } });
    plane.queued();
    expect(bind(plane)).toMatchObject({ code: "location-not-allowed", field: "Node//a-1 zone" });
  });

  test("has every label the workload selects by [BD7]", () => {
    const plane = aPlane({ desired: { nodeSelector: { disk: "ssd" } } });
    plane.joined("b-1", { labels: { disk: "ssd" } });
    plane.queued();
    expect(bind(plane, { node: "a-1" })).toMatchObject({
      kind: "refused",
      code: "node-not-selected",
    });
    expect(codeOf(bind(plane, { node: "b-1" }))).toBe("committed");
  });

  test("has only taints the workload tolerates [BD8]", () => {
    const taints = [{ key: "dedicated", value: "ml", effect: "no-schedule" as const }];
    const plane = aPlane({ node: { taints }, desired: {} });
    plane.queued();
    expect(bind(plane)).toMatchObject({
      kind: "conflict",
      code: "taint-not-tolerated",
      actual: "dedicated=ml",
    });
    respec(plane, {});
    expect(codeOf(bind(plane))).toBe("committed");
  });
});

const withDevices = (): Plane => {
  const plane = aPlane({
    node: { deviceIds: ["g0", "g1", "g2"] },
    desired: { devices: 1, replicas: 3 },
  });
  plane.bound({ index: 0, deviceIds: ["g0"] });
  plane.queued(1);
  return plane;
};

describe("devices", () => {
  test("have one owner each [BD5]", () => {
    const plane = withDevices();
    expect(bind(plane, { index: 1, deviceIds: ["g0"] })).toMatchObject({
      kind: "conflict",
      code: "device-taken",
    });
    expect(codeOf(bind(plane, { index: 1, deviceIds: ["g1"] }))).toBe("committed");
    expect(plane.ledger.objects.useOf("a-1").devices.get("g1")?.owners).toEqual([indexKey(1)]);
  });

  test.each([
    { title: "none [BD5]", deviceIds: [] },
    { title: "one too many [BD5]", deviceIds: ["g1", "g2"] },
    { title: "one the node does not have [BD5]", deviceIds: ["g7"] },
  ])("are as many as asked for: $title is a conflict", ({ deviceIds }) => {
    expect(codeOf(bind(withDevices(), { index: 1, deviceIds }))).toBe("device-taken");
  });

  test("are not counted twice by naming one of them twice [BD5]", () => {
    const plane = aPlane({ node: { deviceIds: ["g0", "g1"] }, desired: { devices: 2 } });
    plane.queued();
    expect(codeOf(bind(plane, { deviceIds: ["g0", "g0"] }))).toBe("device-taken");
    expect(codeOf(bind(plane, { deviceIds: ["g1", "g0"] }))).toBe("committed");
  });

  test("are of the asked class [BD5]", () => {
    const plane = aPlane({
      node: { deviceIds: ["f0"], deviceClass: "fpga" },
      desired: { devices: 1, deviceClass: "gpu" },
    });
    plane.queued();
    expect(codeOf(bind(plane, { deviceIds: ["f0"] }))).toBe("device-taken");
  });

  test("are not given to a replica that asks for none [BD5]", () => {
    const plane = aPlane({ node: { deviceIds: ["g0"] } });
    plane.queued();
    expect(codeOf(bind(plane, { deviceIds: ["g0"] }))).toBe("device-taken");
  });
});
