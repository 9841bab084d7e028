import { describe, expect, test } from "vitest";
import { workloadKey } from "../core/model/ids.ts";
import { FENCE_AFTER_MS, RENEW_EVERY_MS } from "../core/model/timing.ts";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { runTwin } from "./run-twin.ts";
import type { TwinScenario } from "./twin-run.ts";

const NODES = ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"];

const WORLD: World = {
  name: "three-zones",
  regions: [{ name: "eu", zones: ["eu-a", "eu-b", "eu-c"] }],
  nodes: NODES.map((name) =>
    worldNode({
      name,
      region: "eu",
      zone: `eu-${name.charAt(0)}`,
      cpuMillis: 8_000,
      memoryMiB: 16_384,
    }),
  ),
  tenants: [{ name: "shop", quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 12,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
      together: { spread: [{ by: "zone", maxSkew: 1 }] },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 120_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
};

const FLEET = fleetOfWorld(WORLD);
const WEB = workloadKey("shop", "web");

const scenario = (of: Partial<TwinScenario>): TwinScenario => ({
  events: [],
  watchMs: 120_000,
  hasFaults: false,
  ...of,
});

describe("the twin", () => {
  test("keeps a fleet serving to which nothing happens", () => {
    const run = runTwin(FLEET, scenario({}), 1);
    expect(run).toMatchObject({ recoveries: [], waits: [], violations: [] });
  });

  test("recovers a workload that lost a node", () => {
    const lose = scenario({ events: [{ atMs: 0, do: "lose", nodes: ["b-1"] }] });
    const run = runTwin(FLEET, lose, 1);
    expect(run.violations).toEqual([]);
    const [web] = run.recoveries;
    expect(web).toMatchObject({ workload: WEB, before: 12, least: 12 - servingOn("b-1") });
    // Its processes are surely dead after a lease, the time to kill and the bound of the clocks.
    expect(web?.recoveredMs).toBeGreaterThan(FENCE_AFTER_MS - RENEW_EVERY_MS);
    expect(web?.recoveredMs).toBeLessThan(FENCE_AFTER_MS + 5_000);
    expect(run.waits).toHaveLength(servingOn("b-1"));
    expect(run.waits.every(({ workload, ms }) => workload === WEB && ms !== undefined)).toBe(true);
  });

  test("gives the same run for the same seed, and another for another", () => {
    const lose = scenario({ events: [{ atMs: 0, do: "lose", nodes: ["b-1"] }] });
    const [first, again, other] = [1, 1, 2].map((seed) => runTwin(FLEET, lose, seed));
    expect(again).toEqual(first);
    expect(other?.hash).not.toBe(first?.hash);
  });
});

const servingOn = (node: string): number =>
  FLEET.objects.filter((object) => object.kind === "Replica" && object.status.node === node).length;
