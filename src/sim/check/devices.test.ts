import { expect, test } from "vitest";
import type { Replica } from "../../core/model/objects.ts";
import { createDevicesChecker } from "./devices.ts";
import { CheckerBench } from "./checker-bench.ts";
import { amounts, anAsk, aNode, aReplica, aTemplate, bound, freed } from "./fixtures.ts";

const withGpus = (devices: number, slot: number): Replica => {
  const ask = anAsk({ amounts: amounts({ devices }), deviceClass: "gpu" });
  return aReplica({ spec: { slot, template: aTemplate({ ask }) } });
};

const held = (replica: Replica, ...deviceIds: string[]): Replica =>
  bound(replica, "node-1", { deviceIds });

function benchWithGpus(deviceClass = "gpu"): CheckerBench {
  const bench = new CheckerBench(createDevicesChecker());
  bench.commit({ put: [aNode({ spec: { deviceClass, deviceIds: ["g0", "g1"] } })] });
  return bench;
}

test("a device that is given back may be given to another [INV3]", () => {
  const bench = benchWithGpus();
  const [a, b, c] = [withGpus(1, 0), withGpus(1, 1), withGpus(1, 2)] as const;
  bench.commit({ put: [held(a, "g0")] });
  bench.commit({ put: [held(b, "g1")] });
  bench.commit({
    put: [{ ...held(a, "g0"), status: { ...held(a, "g0").status, stage: "serving" } }],
  });
  bench.commit({ put: [freed(a)] });
  bench.commit({ put: [held(c, "g0")] });
  expect(bench.found).toEqual([]);
});

test("a device with two owners is reported [INV3]", () => {
  const bench = benchWithGpus();
  bench.commit({ put: [held(withGpus(1, 0), "g0")] });
  bench.commit({ put: [held(withGpus(1, 1), "g0")] });
  expect(bench.found).toEqual([
    "INV3 Replica/payments/api.1.1 was given device g0 of node-1, which Replica/payments/api.1.0 holds.",
  ]);
});

test("one device counted as two is reported [INV3]", () => {
  const bench = benchWithGpus();
  bench.commit({ put: [held(withGpus(2, 0), "g0", "g0")] });
  expect(bench.found).toHaveLength(1);
});

test("too few devices and one the node does not have are reported [INV3]", () => {
  const bench = benchWithGpus();
  bench.commit({ put: [held(withGpus(2, 0), "g0")] });
  bench.commit({ put: [held(withGpus(1, 1), "g7")] });
  expect(bench.found).toEqual([
    "INV3 Replica/payments/api.1.0 asks for 2 devices and holds 1 on node-1.",
    "INV3 Replica/payments/api.1.1 holds device g7, which node-1 does not have.",
  ]);
});

test("a device of another class is reported [INV3]", () => {
  const bench = benchWithGpus("fpga");
  bench.commit({ put: [held(withGpus(1, 0), "g0")] });
  expect(bench.found).toEqual([
    'INV3 Replica/payments/api.1.0 asks for class "gpu" and holds class "fpga" on node-1.',
  ]);
});
