/**
 * Runs the twin of a small fleet that loses the agent of one node, and prints what its checkers report. Bundled with a mutant's
 * sources in place of the real ones, it shows whether a review would notice the defect.
 */
import { worldNode, worldWorkload } from "../../src/sim/world/build-world.ts";
import type { World } from "../../src/sim/world/world.ts";
import { fleetOfWorld } from "../../src/twin/fleet-of-world.ts";
import { runTwin } from "../../src/twin/run-twin.ts";

const NODES = ["n1", "n2", "n3"];

const WORLD: World = {
  name: "three-nodes",
  regions: [{ name: "eu", zones: ["eu-1"] }],
  nodes: NODES.map((name) =>
    worldNode({ name, region: "eu", zone: "eu-1", cpuMillis: 8_000, memoryMiB: 16_384 }),
  ),
  tenants: [{ name: "shop", quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 6,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
      together: { maxPerNode: 3 },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 60_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
};

const fleet = fleetOfWorld(WORLD);
const [node = ""] = fleet.objects.flatMap((object) =>
  object.kind === "Replica" && object.status.node !== undefined ? [object.status.node] : [],
);
const scenario = {
  events: [{ atMs: 0, do: "stop-agent", nodes: [node] }],
  watchMs: 60_000,
  hasFaults: false,
} as const;
process.stdout.write(JSON.stringify(runTwin(fleet, scenario, 1).violations));
