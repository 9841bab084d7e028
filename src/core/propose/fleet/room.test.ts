import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aTemplate } from "../../../../test/builders/a-template.ts";
import { checkChosenDevices, chooseDevices } from "../../rules/feasibility/devices.ts";
import { ROOM_RULES } from "../../rules/feasibility/feasibility.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Ask, Node } from "../../model/objects.ts";
import { emptyNodeUse, type NodeUse } from "../../observe/usage.ts";
import { layFleet, shapeOf, UnitKinds } from "./lay-fleet.ts";
import { hasRoom, tightestUnits } from "./room.ts";

/** The same node and ask in both terms: as objects and as columns. */
function bothWays(node: Node, use: NodeUse, ask: Ask) {
  const kinds = new UnitKinds();
  const fleet = layFleet([node], () => use, kinds);
  const shape = shapeOf(ask, kinds);
  return {
    byObjects: ROOM_RULES.every((rule) => rule.check({ node, use }, ask) === undefined),
    byColumns: hasRoom(fleet, 0, shape),
    units: () => tightestUnits(fleet, 0, shape).map((unit) => fleet.unitIds[unit]!),
  };
}

const pools = fc
  .record({ gpus: fc.nat({ max: 3 }), v100s: fc.nat({ max: 2 }), fpgas: fc.nat({ max: 1 }) })
  .map(({ gpus, v100s, fpgas }) => [
    { class: "gpu", model: "A100", ids: ["g0", "g1", "g2"].slice(0, gpus) },
    { class: "gpu", model: "V100", ids: ["v0", "v1"].slice(0, v100s) },
    { class: "fpga", model: "", ids: ["f0"].slice(0, fpgas) },
  ]);

const uses = fc
  .record({
    cpuMillis: fc.nat({ max: 800 }),
    memoryMiB: fc.nat({ max: 800 }),
    replicas: fc.nat({ max: 4 }),
    units: fc.array(fc.constantFrom(0, 0, 300, 600, 1000), { minLength: 6, maxLength: 6 }),
    gone: fc.constantFrom(0, 0, 0, 1000),
  })
  .map(({ cpuMillis, memoryMiB, replicas, units, gone }): NodeUse => {
    const use = { ...emptyNodeUse(), cpuMillis, memoryMiB, replicas };
    for (const [at, id] of ["g0", "g1", "g2", "v0", "v1", "f0"].entries()) {
      const usedMillis = units[at] ?? 0;
      if (usedMillis > 0)
        use.devices.set(id, { usedMillis, owners: [`Replica/t/${id}` as ObjectKey] });
    }
    return { ...use, deviceMillis: gone };
  });

const asks = fc
  .record({
    cpuMillis: fc.nat({ max: 600 }),
    memoryMiB: fc.nat({ max: 600 }),
    device: fc.option(
      fc.record({
        class: fc.constantFrom("gpu", "gpu", "fpga"),
        models: fc.constantFrom([], ["A100"], ["V100", "H100"]),
        count: fc.integer({ min: 1, max: 3 }),
        shareMillis: fc.constantFrom(1000, 1000, 400),
      }),
      { nil: undefined },
    ),
  })
  .map(({ device, ...amounts }) => {
    if (device === undefined) return aTemplate(amounts).ask;
    const count = device.shareMillis < 1000 ? 1 : device.count;
    return aTemplate({ ...amounts, device: { ...device, count } }).ask;
  });

test("property: columns and the object rules agree on room, and what the columns choose may be had [BD4] [BD5]", () => {
  const met = { room: 0, none: 0 };
  fc.assert(
    fc.property(pools, uses, asks, fc.option(fc.nat({ max: 4 })), (of, taken, ask, cap) => {
      const held = [...of].flatMap(({ ids }) => ids);
      const use: NodeUse = { ...taken, devices: new Map(taken.devices) };
      for (const id of taken.devices.keys()) if (!held.includes(id)) use.devices.delete(id);
      for (const { usedMillis } of use.devices.values()) use.deviceMillis += usedMillis;
      const node = aNode({ pools: of, ...(cap === null ? {} : { maxReplicas: cap }) });
      const { byObjects, byColumns, units } = bothWays(node, use, ask);
      expect(byColumns).toBe(byObjects);
      met[byColumns ? "room" : "none"] += 1;
      if (!byColumns) return;
      expect(checkChosenDevices({ node, use }, ask, units())).toBeUndefined();
      expect(units()).toEqual(chooseDevices({ node, use }, ask));
    }),
    { seed: 4, numRuns: 2_000 },
  );
  expect(Math.min(met.room, met.none)).toBeGreaterThan(200);
});

const share = (shareMillis: number): Ask =>
  aTemplate({ device: { class: "gpu", models: [], count: 1, shareMillis } }).ask;

describe("the units that are taken", () => {
  const node = aNode({ deviceIds: ["g0", "g1", "g2"] });

  test("are for a share those that are fullest and still have room, so that idle ones stay idle", () => {
    const use = emptyNodeUse();
    use.devices.set("g1", { usedMillis: 300, owners: [] });
    use.devices.set("g2", { usedMillis: 700, owners: [] });
    expect(bothWays(node, use, share(300)).units()).toEqual(["g2"]);
    expect(bothWays(node, use, share(500)).units()).toEqual(["g1"]);
    expect(bothWays(node, use, share(800)).units()).toEqual(["g0"]);
  });

  test("are for whole devices the first idle ones", () => {
    const use = emptyNodeUse();
    use.devices.set("g0", { usedMillis: 1, owners: [] });
    expect(bothWays(node, use, aTemplate({ devices: 2 }).ask).units()).toEqual(["g1", "g2"]);
    expect(bothWays(node, use, aTemplate({ devices: 3 }).ask).byColumns).toBe(false);
  });
});
