import { expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import { createDevicesChecker } from "./devices.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  amounts,
  anAsk,
  aNode,
  aReplica,
  aTemplate,
  bound,
  freed,
} from "../../../test/builders/check/fixtures.ts";

const withGpus = (devices: number, index: number): Replica => {
  const device = { class: "gpu", models: [], count: devices, shareMillis: 1000 };
  const ask = anAsk({ amounts: amounts({ deviceMillis: 1000 * devices }), device });
  return aReplica({ spec: { index, template: aTemplate({ ask }) } });
};

const held = (replica: Replica, ...deviceIds: string[]): Replica =>
  bound(replica, "node-1", { deviceIds });

function benchWithGpus(deviceClass = "gpu"): CheckerHarness {
  const harness = new CheckerHarness(createDevicesChecker());
  harness.commit({
    put: [aNode({ spec: { pools: [{ class: deviceClass, model: "", ids: ["g0", "g1"] }] } })],
  });
  return harness;
}

test("a device that is given back may be given to another [INV3]", () => {
  const harness = benchWithGpus();
  const [a, b, c] = [withGpus(1, 0), withGpus(1, 1), withGpus(1, 2)] as const;
  harness.commit({ put: [held(a, "g0")] });
  harness.commit({ put: [held(b, "g1")] });
  harness.commit({
    put: [{ ...held(a, "g0"), status: { ...held(a, "g0").status, stage: "serving" } }],
  });
  harness.commit({ put: [freed(a)] });
  harness.commit({ put: [held(c, "g0")] });
  expect(harness.found).toEqual([]);
});

test("a device with two owners is reported [INV3]", () => {
  const harness = benchWithGpus();
  harness.commit({ put: [held(withGpus(1, 0), "g0")] });
  harness.commit({ put: [held(withGpus(1, 1), "g0")] });
  expect(harness.found).toEqual([
    "INV3 Replica/payments/api.1.1 was given device g0 of node-1, which Replica/payments/api.1.0 holds.",
  ]);
});

test("one device counted as two is reported [INV3]", () => {
  const harness = benchWithGpus();
  harness.commit({ put: [held(withGpus(2, 0), "g0", "g0")] });
  expect(harness.found).toHaveLength(1);
});

test("too few devices and one the node does not have are reported [INV3]", () => {
  const harness = benchWithGpus();
  harness.commit({ put: [held(withGpus(2, 0), "g0")] });
  harness.commit({ put: [held(withGpus(1, 1), "g7")] });
  expect(harness.found).toEqual([
    "INV3 Replica/payments/api.1.0 asks for 2 devices and holds 1 on node-1.",
    "INV3 Replica/payments/api.1.1 holds device g7, which node-1 does not have.",
  ]);
});

const withShare = (shareMillis: number, index: number, models: readonly string[] = []): Replica => {
  const device = { class: "gpu", models, count: 1, shareMillis };
  const ask = anAsk({ amounts: amounts({ deviceMillis: shareMillis }), device });
  return aReplica({ spec: { index, template: aTemplate({ ask }) } });
};

test("shares of one device may add up to the whole of it [INV3]", () => {
  const harness = benchWithGpus();
  const [a, b, c] = [withShare(400, 0), withShare(600, 1), withShare(400, 2)] as const;
  harness.commit({ put: [held(a, "g0")] });
  harness.commit({ put: [held(b, "g0")] });
  harness.commit({ put: [freed(a)] });
  harness.commit({ put: [held(c, "g0")] });
  expect(harness.found).toEqual([]);
});

test("more than a whole device given away is reported, in shares or beside a whole [INV3]", () => {
  const harness = benchWithGpus();
  harness.commit({ put: [held(withShare(600, 0), "g0")] });
  harness.commit({ put: [held(withShare(401, 1), "g0")] });
  harness.commit({ put: [held(withShare(1, 2), "g1")] });
  harness.commit({ put: [held(withGpus(1, 3), "g1")] });
  expect(harness.found).toEqual([
    "INV3 Replica/payments/api.1.1 was given device g0 of node-1, which Replica/payments/api.1.0 holds 600m of, beside its own 401m.",
    "INV3 Replica/payments/api.1.3 was given device g1 of node-1, which Replica/payments/api.1.2 holds 1m of, beside its own 1000m.",
  ]);
});

test("a device of another model is reported [INV3]", () => {
  const harness = benchWithGpus();
  harness.commit({ put: [held(withShare(500, 0, ["A100", "V100"]), "g0")] });
  expect(harness.found).toEqual([
    'INV3 Replica/payments/api.1.0 asks for model "A100|V100" and holds a "" on node-1.',
  ]);
});

test("a device of another class is reported [INV3]", () => {
  const harness = benchWithGpus("fpga");
  harness.commit({ put: [held(withGpus(1, 0), "g0")] });
  expect(harness.found).toEqual([
    'INV3 Replica/payments/api.1.0 asks for class "gpu" and holds class "fpga" on node-1.',
  ]);
});
