import { expect, test } from "vitest";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { playTwin } from "./play-twin.ts";
import { runTwin } from "./run-twin.ts";
import { MEANT_FAULTS, type TwinScenario } from "./twin-run.ts";

const NODES = ["a-1", "b-1", "c-1"];

const FLEET = fleetOfWorld({
  name: "three-nodes",
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
  tenants: [{ name: "shop", quota: { cpuMillis: 20_000, memoryMiB: 40_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 6,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 120_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
});

const lost = FLEET.objects.find((object) => object.kind === "Replica")?.status.node ?? "";

const scenario: TwinScenario = {
  events: [{ atMs: 0, do: "lose", nodes: [lost] }],
  watchMs: 240_000,
  hasFaults: false,
};

test.each(MEANT_FAULTS)("a scenario that names %s has it while its loss is recovered", (fault) => {
  const meant = { ...scenario, meant: [fault] };
  for (const seed of [1, 2, 3]) {
    const { run, result } = playTwin({
      fleet: FLEET,
      scenario: meant,
      seed,
      agentsRest: true,
      hasWitness: true,
    });
    expect(run.met).toEqual([fault]);
    expect(run.violations).toEqual([]);
    expect(run.recoveries[0]?.recoveredMs).toBeGreaterThan(0);
    const calm = runTwin(FLEET, scenario, seed);
    expect(calm.met).toBeUndefined();
    expect(run.hash).not.toBe(calm.hash);
    // It begins after the loss is known and before the recovery is over.
    const fired = result.fired.flatMap((each) => ("atMs" in each ? each.atMs : []));
    const known = result.witnessed?.notes.find(
      (note) =>
        note.kind === "landed" &&
        note.commit.changes.some(
          ({ before }) => before?.kind === "Replica" && before.status.node === lost,
        ),
    );
    const fromMs = known?.atMs ?? Infinity;
    expect(fired.length).toBeGreaterThan(0);
    const untilMs = 30_000 + (run.recoveries[0]?.recoveredMs ?? 0);
    for (const atMs of fired) {
      expect(atMs).toBeGreaterThanOrEqual(fromMs);
      expect(atMs).toBeLessThanOrEqual(untilMs);
    }
  }
});

test("a run with a witness is the same run", () => {
  const meant = { ...scenario, hasFaults: true, meant: MEANT_FAULTS };
  const told = playTwin({
    fleet: FLEET,
    scenario: meant,
    seed: 4,
    agentsRest: true,
    hasWitness: true,
  });
  expect(told.run).toEqual(runTwin(FLEET, meant, 4));
});
