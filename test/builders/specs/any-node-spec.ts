/** Specs of nodes that the API accepts, with every field that a client may send. */
import * as fc from "fast-check";
import type { DevicePool, NodeSpec } from "../../../src/core/model/objects.ts";
import { anyAmount, anyEffect, anyModel, anyName, anyText, anyWord, someOf } from "./any-value.ts";

const maybeModel = fc.oneof(fc.constant(""), anyModel);
const usualPool = (count: number, from: number): DevicePool => ({
  class: "gpu",
  model: `M${from}`,
  ids: Array.from({ length: count }, (_, index) => `gpu-${from + index}`),
});
const nodePools: fc.Arbitrary<readonly DevicePool[]> = fc.oneof(
  fc.constant([]),
  fc
    .record({ class: anyWord, model: maybeModel, ids: fc.uniqueArray(anyWord, { maxLength: 4 }) })
    .map((pool) => [pool]),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([first, second]) => [usualPool(first, 0), usualPool(second, first)]),
  fc
    .tuple(anyWord, anyWord, maybeModel)
    .filter(([one, other]) => one !== other)
    .map(([one, other, its]) => [
      { class: "gpu", model: its, ids: [one] },
      { class: "fpga", model: "", ids: [other] },
    ]),
);

export const anyNodeSpec: fc.Arbitrary<NodeSpec> = fc
  .record({
    region: anyName,
    zone: anyName,
    cpuMillis: anyAmount,
    memoryMiB: anyAmount,
    pools: nodePools,
    taints: someOf(fc.record({ key: anyWord, value: anyText, effect: anyEffect })),
    cordons: someOf(fc.record({ holder: anyWord, reason: anyText })),
    draining: fc.boolean(),
    limits: fc.record(
      { maxReplicas: fc.nat(100_000), supply: fc.constant("soft" as const) },
      { requiredKeys: [] },
    ),
  })
  .map(({ cpuMillis, memoryMiB, pools, limits, ...rest }) => ({
    ...limits,
    capacity: {
      cpuMillis,
      memoryMiB,
      deviceMillis: pools.reduce((sum, { ids }) => sum + 1000 * ids.length, 0),
    },
    pools,
    ...rest,
  }));
