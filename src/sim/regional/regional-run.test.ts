import { describe, expect, it } from "vitest";
import { run } from "../run.ts";
import { drawRegionalWorld } from "../swarm/swarm-regional.ts";
import { drawSwarm, swarmRates } from "../swarm/swarm.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import type { World } from "../world/world.ts";
import { hasRegionalPlanes, splitWorld } from "./split-world.ts";
import { Wan } from "./wan.ts";

const runRegional = (seed: number, shakeOrder = false): ReturnType<typeof run> =>
  run({
    world: drawRegionalWorld(seed),
    seed,
    shakeOrder,
    faults: { explicit: [], rates: swarmRates(seed) },
  });

describe("a world whose regions have planes of their own", () => {
  it("comes to rest without a violation, and the same way again [SIM1]", () => {
    const first = runRegional(2);
    expect(first.violation).toBeUndefined();
    expect(first.events).toBeGreaterThan(1_000);
    expect(runRegional(2).hash).toBe(first.hash);
  });

  it("does not depend on the order of lists and changes [SIM3]", () => {
    expect(runRegional(4, true).hash).toBe(runRegional(4).hash);
  });

  it("is one in ten of those that the swarm draws", () => {
    const seeds = Array.from({ length: 400 }, (_, at) => at + 1);
    const drawn = seeds.filter((seed) => hasRegionalPlanes(drawSwarm(seed).world));
    expect(drawn.length).toBeGreaterThan(20);
    expect(drawn.length).toBeLessThan(60);
  });
});

describe("splitWorld()", () => {
  const place = { zone: "a", cpuMillis: 1_000, memoryMiB: 1_024 };
  const ofWest = worldWorkload({
    tenant: "shop",
    name: "cart",
    replicas: 1,
    amounts: {},
    ask: { regions: ["west"] },
  });
  const world: World = {
    ...drawRegionalWorld(1),
    regions: [
      { name: "west", zones: ["a"], plane: { termMs: 60_000 } },
      { name: "east", zones: ["a"] },
    ],
    nodes: [
      worldNode({ name: "w1", region: "west", ...place }),
      worldNode({ name: "e1", region: "east", ...place }),
    ],
    workloads: [ofWest, worldWorkload({ tenant: "shop", name: "any", replicas: 1, amounts: {} })],
    timeline: [
      { atMs: 1, action: { do: "scale", tenant: "shop", workload: "cart", replicas: 2 } },
      { atMs: 2, action: { do: "drain", node: "e1" } },
    ],
  };

  it("gives a region its nodes, its work and what people do to them, and the global plane the rest", () => {
    const { global, regions } = splitWorld(world);
    const [west] = regions;
    expect(regions).toHaveLength(1);
    expect(west?.world.nodes.map(({ name }) => name)).toEqual(["w1"]);
    expect(west?.world.workloads).toEqual([ofWest]);
    expect(west?.world.timeline.map(({ atMs }) => atMs)).toEqual([1]);
    expect(west?.world.tenants).toEqual([]);
    expect(global.nodes.map(({ name }) => name)).toEqual(["e1"]);
    expect(global.timeline.map(({ atMs }) => atMs)).toEqual([2]);
  });
});

const link = (lost: number, doubled: number): Wan =>
  new Wan({
    seed: 1,
    rates: { lost, late: 0, doubled, lateMs: 100 },
    events: [{ event: "cut", region: "west", atMs: 100, forMs: 100, way: "to-global" }],
    healMs: 1_000,
  });

describe("the link between planes", () => {
  it("loses what a cut is in the way of, in that direction and for that long", () => {
    const wan = link(0, 0);
    expect(wan.delaysOf("west", "to-global", 150)).toEqual([]);
    expect(wan.delaysOf("west", "to-region", 150)).toHaveLength(1);
    expect(wan.delaysOf("east", "to-global", 150)).toHaveLength(1);
    expect(wan.delaysOf("west", "to-global", 200)).toHaveLength(1);
  });

  it("loses and doubles messages until the world heals, and none after", () => {
    expect(link(1_000, 0).delaysOf("west", "to-global", 0)).toEqual([]);
    expect(link(0, 1_000).delaysOf("west", "to-global", 0)).toHaveLength(2);
    expect(link(1_000, 1_000).delaysOf("west", "to-global", 1_000)).toHaveLength(1);
  });
});
