/**
 * `npm run bench:simulate [-- --json] [--seeds N] [--clean N]`: how fast the simulator runs the
 * standard world with every checker on, and whether clean code raises any alarm in the swarm.
 *
 * One process, one thread. The first runs warm the compiler up and are not counted.
 */
import { parseArgs } from "node:util";
import { run } from "../../src/sim/run.ts";
import { standardWorld } from "../../src/sim/world/standard-world.ts";
import { runInSwarm } from "../../src/sim/world/swarm-run.ts";
import { swarmRates } from "../../src/sim/swarm/swarm.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seeds: { type: "string", default: "40" },
    clean: { type: "string", default: "2000" },
  },
});

interface Speed {
  readonly events: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
  /** Of this process alone: what a busy machine cannot falsify. */
  readonly eventsPerCpuSecond: number;
}

function timed(seeds: number, play: (seed: number) => number): Speed {
  const began = performance.now();
  const cpuBegan = process.cpuUsage();
  let events = 0;
  for (let seed = 1; seed <= seeds; seed += 1) events += play(seed);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBegan);
  const eventsPerCpuSecond = Math.round((events * 1e6) / (user + system));
  return { events, seconds, eventsPerSecond: Math.round(events / seconds), eventsPerCpuSecond };
}

const world = standardWorld();
const calm = (seed: number): number =>
  run({ world, seed, faults: { explicit: [], rates: {} } }).events;
const stormy = (seed: number): number =>
  run({ world, seed, faults: { explicit: [], rates: swarmRates(seed) } }).events;

const seeds = Number(values.seeds);
timed(5, calm);
timed(5, stormy);
const standardCalm = timed(seeds, calm);
const standardSwarm = timed(seeds, stormy);

const alarms: { seed: number; rule: string }[] = [];
const swarm = timed(Number(values.clean), (seed) => {
  const { result } = runInSwarm(seed);
  if (result.violation) alarms.push({ seed, rule: result.violation.rule });
  return result.events;
});

const report = {
  node: process.version,
  standardCalm,
  standardSwarm,
  swarm: { seeds: Number(values.clean), ...swarm, alarms },
};
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  const row = (
    name: string,
    { events, seconds, eventsPerSecond, eventsPerCpuSecond }: Speed,
  ): string =>
    `${name.padEnd(38)} ${String(events).padStart(10)} events ${seconds.toFixed(1).padStart(7)} s ${String(eventsPerSecond).padStart(8)} events/s ${String(eventsPerCpuSecond).padStart(8)} per CPU second\n`;
  process.stdout.write(row(`standard world, no faults, ${seeds} seeds`, standardCalm));
  process.stdout.write(row(`standard world, swarm, ${seeds} seeds`, standardSwarm));
  process.stdout.write(row(`swarm worlds, ${values.clean} seeds`, swarm));
  process.stdout.write(`alarms on clean code: ${alarms.length}\n`);
}
process.exitCode = alarms.length === 0 ? 0 : 1;
