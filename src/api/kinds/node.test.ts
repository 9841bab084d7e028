import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aPlane } from "../../../test/builders/a-plane.ts";
import { aTemplate } from "../../../test/builders/a-template.ts";
import { schedulable } from "../../core/rules/feasibility/schedulable.ts";
import type { NodeHealth } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { emptyNodeUse } from "../../core/observe/usage.ts";
import { nodeKind } from "./node.ts";
import type { NodeStatusText } from "./node-schema.ts";
import { heldBack } from "./status/node-status.ts";

const least = { region: "eu", zone: "eu-a", capacity: { cpu: 8, memory: "32Gi" } };

const withDevices = (devices: object): unknown =>
  nodeKind.toDesired({ ...least, capacity: { ...least.capacity, devices } });

const statusOf = (node: Parameters<typeof nodeKind.toApi>[0], objects = new ObjectIndex()) =>
  nodeKind.toApi(node, objects).status as NodeStatusText;

describe("devices", () => {
  test("a count names the devices, and ids name themselves", () => {
    expect(withDevices({ class: "gpu", count: 2 })).toMatchObject({
      spec: {
        pools: [{ class: "gpu", model: "", ids: ["gpu-0", "gpu-1"] }],
        capacity: { deviceMillis: 2000 },
      },
    });
    expect(withDevices({ class: "gpu", ids: ["a", "b"] })).toMatchObject({
      spec: { pools: [{ ids: ["a", "b"] }], capacity: { deviceMillis: 2000 } },
    });
  });

  test("neither a count nor ids is a mistake", () => {
    expect(withDevices({ class: "gpu" })).toEqual([
      {
        field: "spec.capacity.devices",
        message: "found neither count nor ids; expected one.",
      },
    ]);
  });

  test("a count and ids that disagree are a mistake", () => {
    expect(withDevices({ class: "gpu", count: 3, ids: ["a", "b"] })).toEqual([
      {
        field: "spec.capacity.devices",
        message: "found a count of 3 and 2 ids; expected one of them.",
      },
    ]);
  });

  test("ids of the usual form win over the count that was shown for them", () => {
    // Written as ids, shown as a count, and then patched with one id more.
    const ids = ["gpu-0", "gpu-1", "gpu-2"];
    expect(withDevices({ class: "gpu", count: 2, ids })).toMatchObject({
      spec: { pools: [{ ids }] },
    });
  });
});

describe("status", () => {
  test("what replicas hold is shown beside the capacity", () => {
    const plane = aPlane({
      node: { deviceIds: ["gpu-0", "gpu-1"] },
      desired: { cpuMillis: 300, memoryMiB: 200, devices: 1 },
    });
    plane.bound({ deviceIds: ["gpu-1"] });
    const { objects } = plane.ledger;
    expect(statusOf(plane.node(), objects)).toMatchObject({
      health: "ready",
      session: 1,
      unschedulable: false,
      allocated: { cpu: "300m", memory: "200Mi", devices: 1, replicas: 1 },
      deviceOwners: { "gpu-1": "payments/api.1.0" },
    });
    const cells = nodeKind.columns.map((column) => [
      column.name,
      column.cell(plane.node(), objects),
    ]);
    expect(Object.fromEntries(cells)).toMatchObject({
      Health: "ready",
      CPU: "300m/1",
      Memory: "200Mi/1000Mi",
      Devices: "1/2",
    });
  });

  test("a shared device has several owners, and is counted in parts", () => {
    const device = { class: "gpu", models: [], count: 1, shareMillis: 250 };
    const plane = aPlane({ node: { deviceIds: ["gpu-0"] }, desired: { device, replicas: 2 } });
    plane.bound({ index: 0, deviceIds: ["gpu-0"] });
    plane.bound({ index: 1, deviceIds: ["gpu-0"] });
    expect(statusOf(plane.node(), plane.ledger.objects)).toMatchObject({
      allocated: { devices: "500m" },
      deviceOwners: { "gpu-0": "payments/api.1.0, payments/api.1.1" },
    });
  });

  test("a forecast is shown as one [BD10]", () => {
    expect(statusOf(aNode({ supply: "soft" })).conditions[1]).toMatchObject({
      status: "False",
      reason: "Forecast",
      message: "The node takes no new work: only a forecast.",
    });
  });

  test("a node that no agent has spoken for says so", () => {
    expect(statusOf(aNode({ health: "unknown", session: 0 })).conditions[0]).toMatchObject({
      type: "Ready",
      status: "Unknown",
      reason: "AgentNeverSpoke",
    });
  });

  test("a fenced node cites its evidence", () => {
    const plane = aPlane();
    plane.vouchedGone();
    const status = statusOf(plane.node(), plane.ledger.objects);
    expect(status.evidence).toMatchObject({
      kind: "person",
      message: "ops confirmed: scrapped",
      permits: "releasing all its replicas",
      source: "ops",
    });
    expect(status.conditions[0]).toMatchObject({ status: "False", reason: "Fenced" });
    expect(status.conditions[0]!.message).toContain("ops confirmed: scrapped");
  });

  test("a silent node says how long it was silent, and what that permits [EV8]", () => {
    const plane = aPlane();
    plane.fallenSilent();
    expect(statusOf(plane.node(), plane.ledger.objects).evidence).toMatchObject({
      kind: "lease-expired",
      message: "The lease of session 1 was not renewed after renewal 1, 18.5 s before.",
      permits: expect.stringMatching(/^releasing the replicas that stop/),
      source: "the authority's clock",
    });
  });

  test("a node that is held for flapping says until when and why [FL1]", () => {
    const damped = { sinceMs: 0, untilMs: 60_000, times: 4, epoch: 1 };
    const status = statusOf(aNode({ damped }));
    expect(status.heldForFlapping).toEqual({
      since: "1970-01-01T00:00:00.000Z",
      until: "1970-01-01T00:01:00.000Z",
      returns: 4,
    });
    expect(status.conditions[1]).toMatchObject({ status: "False", reason: "Flapping" });
    expect(status.conditions[1]!.message).toContain("held for flapping until 1970-01-01T00:01:00");
  });

  test("a node whose clock is suspect has a condition for it [CL2]", () => {
    const status = statusOf(aNode({ clock: { offBy: -60, sinceMs: 0 } }));
    expect(status.clockSuspect).toMatchObject({ offBy: -60 });
    expect(status.conditions[1]).toMatchObject({ status: "False", reason: "ClockSuspect" });
    expect(status.conditions[2]).toMatchObject({
      type: "ClockSuspect",
      status: "True",
      message:
        "Its clock runs 60 parts in a thousand slower than the plane's; no new work is placed here.",
    });
  });

  test("a node that cannot limit its replicas has a condition for it [DR2]", () => {
    const node = aNode({});
    expect(statusOf(node).conditions.map(({ type }) => type)).toEqual(["Ready", "Schedulable"]);
    const notes = ["the cgroup controller cpu cannot be used here: CPU is not limited"];
    const status = statusOf({ ...node, status: { ...node.status, notes } });
    expect(status.conditions[2]).toMatchObject({
      type: "LimitsMissing",
      status: "True",
      message: `Replicas may use more than they request: ${notes[0]}.`,
    });
  });

  test("a cordon is shown with its holder and reason", () => {
    const node = aNode({ cordons: [{ holder: "ada", reason: "new disk" }] });
    const status = statusOf(node);
    expect(status.unschedulable).toBe(true);
    expect(status.conditions[1]).toMatchObject({
      type: "Schedulable",
      status: "False",
      reason: "Cordoned",
      message: "The node takes no new work: cordoned by ada (new disk).",
    });
    const health = nodeKind.columns.find(({ name }) => name === "Health")!;
    expect(health.cell(node, new ObjectIndex())).toBe("ready,cordoned");
  });

  test("what is shown as schedulable is what the authority takes for it [BD3]", () => {
    const healths: NodeHealth[] = ["ready", "suspect", "unknown", "fenced"];
    for (const health of healths) {
      for (const draining of [false, true]) {
        for (const cordons of [[], [{ holder: "a", reason: "" }]]) {
          for (const deletingMs of [undefined, 5]) {
            const node = aNode({ health, draining, cordons, deletingMs });
            const use = emptyNodeUse();
            const misfit = schedulable.check({ node, use }, aTemplate().ask);
            expect(heldBack(node).length > 0).toBe(misfit !== undefined);
          }
        }
      }
    }
  });
});
