/**
 * Putting off the turns of idle agents must not show: the same fleet, scenario and seed come out
 * alike with agents that rest and with agents that take each turn when it is due.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Fleet, allOf } from "../fleet/fleet.ts";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { type PlayedTwin, playTwin } from "./play-twin.ts";
import type { TwinEvent } from "./twin-run.ts";

const NODES = Array.from({ length: 9 }, (_, at) => `n${at}`);

const WORLD: World = {
  name: "nine-nodes",
  regions: [{ name: "eu", zones: ["eu-0", "eu-1", "eu-2"] }],
  nodes: NODES.map((name, at) =>
    worldNode({ name, region: "eu", zone: `eu-${at % 3}`, cpuMillis: 4_000, memoryMiB: 8_192 }),
  ),
  tenants: [{ name: "shop", quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 12,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
      together: { maxPerNode: 2 },
    }),
    worldWorkload({
      tenant: "shop",
      name: "kept",
      replicas: 4,
      amounts: { cpuMillis: 500, memoryMiB: 512 },
      onDisconnect: "keep",
      together: { maxPerNode: 1 },
    }),
    worldWorkload({
      tenant: "shop",
      name: "sums",
      type: "batch",
      replicas: 3,
      amounts: { cpuMillis: 500, memoryMiB: 512 },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 60_000,
  startUpMs: 1_000,
  batchRunMs: 900_000,
};

const FLEET: Fleet = fleetOfWorld(WORLD);

const someNodes = fc.uniqueArray(fc.constantFrom(...NODES), { minLength: 1, maxLength: 4 });
const atMs = fc.integer({ min: 0, max: 90_000 });

const anEvent = (restartsLeader: boolean): fc.Arbitrary<TwinEvent> =>
  fc.oneof(
    fc.record({ atMs, do: fc.constant("lose" as const), nodes: someNodes }),
    fc.record({ atMs, do: fc.constant("return" as const), nodes: someNodes }),
    fc.record({ atMs, do: fc.constant("stop-agent" as const), nodes: someNodes }),
    fc.record({
      atMs,
      do: fc.constant("drain" as const),
      nodes: someNodes,
      deadlineMs: fc.integer({ min: 500, max: 40_000 }),
    }),
    fc.record({ atMs, do: fc.constant("slow-starts" as const), byMs: fc.constant(4_000) }),
    fc.record({ atMs, do: fc.constant("second-scheduler" as const) }),
    ...(restartsLeader ? [fc.record({ atMs, do: fc.constant("restart-leader" as const) })] : []),
  );

const aPlay = (isShaken: boolean) =>
  fc.record({
    events: fc.array(anEvent(isShaken), { maxLength: 4 }),
    hasFaults: fc.constant(isShaken),
    seed: fc.nat(10_000),
  });

function bothWays(of: {
  readonly events: readonly TwinEvent[];
  readonly hasFaults: boolean;
  readonly seed: number;
}): readonly [PlayedTwin, PlayedTwin] {
  const { events, hasFaults, seed } = of;
  const ordered = events.toSorted((a, b) => a.atMs - b.atMs);
  const play = { fleet: FLEET, scenario: { events: ordered, hasFaults, watchMs: 150_000 }, seed };
  return [playTwin({ ...play, agentsRest: false }), playTwin({ ...play, agentsRest: true })];
}

/** The run's hash and its number of turns are all that may differ. */
function toldOf({ run }: PlayedTwin): unknown {
  const { recoveries, waits, drains, mostCommands, violations } = run;
  return { recoveries, waits, drains, mostCommands, violations };
}

const lossesOf = ({ run }: PlayedTwin): unknown =>
  run.recoveries.map(({ workload, before, least }) => ({ workload, before, least }));

test("agents that rest tell the same and leave the same objects, renewals included", () => {
  fc.assert(
    fc.property(aPlay(false), (of) => {
      const [awake, resting] = bothWays(of);
      expect(toldOf(resting)).toEqual(toldOf(awake));
      expect(allOf(resting.objects)).toEqual(allOf(awake.objects));
      expect(resting.run.events).toBeLessThan(awake.run.events);
    }),
    { numRuns: 40 },
  );
});

/** By so much the answers to a new leader may come in another order (ADR 25). */
const ANSWERS_MS = 50;

test("agents that rest tell of the same recoveries when the control plane fails, too", () => {
  fc.assert(
    fc.property(aPlay(true), (of) => {
      const [awake, resting] = bothWays(of);
      expect(lossesOf(resting)).toEqual(lossesOf(awake));
      for (const [at, { recoveredMs }] of awake.run.recoveries.entries()) {
        const { recoveredMs: restingMs } = resting.run.recoveries[at] ?? {};
        expect(restingMs === undefined).toBe(recoveredMs === undefined);
        expect(Math.abs((restingMs ?? 0) - (recoveredMs ?? 0))).toBeLessThan(ANSWERS_MS);
      }
    }),
    { numRuns: 40 },
  );
});
