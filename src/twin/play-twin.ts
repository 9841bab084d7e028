/**
 * Plays a scenario on the twin of a fleet. The fleet stands for a while, so that every agent has
 * renewed its lease; then the events of the scenario begin, and times count from there.
 */
import { ObjectIndex } from "../core/observe/object-index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { BegunStaging } from "../sim/begun/begun-staging.ts";
import { Engine } from "../sim/engine.ts";
import type { Checker } from "../sim/check/checker.ts";
import type { RunResult } from "../sim/report/run-result.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { World } from "../sim/world/world.ts";
import { completeFleet } from "./complete-fleet.ts";
import { CommandsRecord } from "./commands-record.ts";
import { checkersOfTwin } from "./checkers-of-twin.ts";
import { drawControlPlaneFaults } from "./control-plane-faults.ts";
import { DrainLine } from "./drain-line.ts";
import { loadOfFleet } from "./load-of-fleet.ts";
import { MeantFaults } from "./meant-faults.ts";
import { OverridesRecord } from "./overrides-record.ts";
import { ScenarioPlay } from "./play-scenario.ts";
import { ServingRecord } from "./serving-record.ts";
import type { TwinRun, TwinScenario } from "./twin-run.ts";
import { WaitsRecord } from "./waits-record.ts";

/** Every agent has renewed three times, and no silence is older than the leadership. */
export const STANDS_MS = 30_000;

/** How long a process needs from its start to its first good probe. */
const START_UP_MS = 1_000;

export interface TwinPlay {
  readonly fleet: Fleet;
  readonly scenario: TwinScenario;
  readonly seed: number;
  /** Turns of idle agents are put off (`sim/hosts/resting-agents.ts`). */
  readonly agentsRest: boolean;
  /** Left out: those that suit the size of the fleet. */
  readonly checkers?: (world: World) => readonly Checker[];
  /** Records all that a page about the run needs; the run is the same. */
  readonly hasWitness?: boolean;
}

/** What came of it, and all objects at the end. */
export interface PlayedTwin {
  readonly run: TwinRun;
  readonly objects: ObjectIndex;
  /** As the simulator tells it. */
  readonly result: RunResult;
  /** With which the run began. */
  readonly base: readonly AnyObject[];
}

export function playTwin(play: TwinPlay): PlayedTwin {
  const { fleet, scenario, seed, agentsRest, checkers = checkersOfTwin(fleet) } = play;
  const { objects, atMs } = completeFleet(fleet);
  const serving = new ServingRecord();
  const waits = new WaitsRecord();
  const commands = new CommandsRecord();
  const drains = new DrainLine();
  const overrides = new OverridesRecord();
  const meant = new MeantFaults(scenario.meant ?? [], seed);
  const untilMs = STANDS_MS + scenario.watchMs;
  let index = new ObjectIndex();
  const staging = new BegunStaging({
    clocksFromMs: atMs,
    objects,
    untilMs,
    agentsRest,
    play: (hands) => {
      index = hands.truth.objects;
      hands.at(STANDS_MS, () => {
        serving.begin(STANDS_MS);
        waits.begin();
        commands.begin();
        overrides.begin(STANDS_MS);
        meant.begin(hands);
      });
      new ScenarioPlay(hands, drains).queue(scenario, STANDS_MS);
      const faults = scenario.hasFaults ? drawControlPlaneFaults(scenario, seed, STANDS_MS) : [];
      for (const fault of faults) hands.fault(fault);
    },
  });
  const world = worldOf(scenario, untilMs, fleet.objects);
  const { hasWitness: witness = false } = play;
  const options = { world, seed, faults: { explicit: [], rates: {} }, witness };
  const records = [serving, waits, commands, drains, overrides, meant, ...checkers(world)];
  const result = new Engine(options, records, undefined, staging).run();
  const { events, hash, violation } = result;
  serving.end(untilMs);
  const mostCommands = commands.most();
  const met = meant.met();
  const run: TwinRun = {
    seed,
    events,
    hash,
    recoveries: serving.recoveries(),
    waits: waits.waits(),
    drains: drains.drains(),
    overrides: overrides.overrides(untilMs),
    ...(met && { met }),
    ...(mostCommands && { mostCommands }),
    violations: violation === undefined ? [] : [`${violation.rule}: ${violation.message}`],
  };
  return { run, objects: index, result, base: objects };
}

/** Its objects are in the log already: the world says only how machines and processes behave. */
function worldOf(
  { startUpMs = START_UP_MS, loadPercent: percent }: TwinScenario,
  untilMs: number,
  objects: readonly AnyObject[],
): World {
  const rise = percent === undefined ? undefined : { atMs: STANDS_MS, percent };
  const autoscalers = loadOfFleet(objects, rise);
  return {
    name: "twin",
    regions: [],
    nodes: [],
    tenants: [],
    workloads: [],
    ...(autoscalers && { autoscalers }),
    schedulers: 1,
    controllersShareView: true,
    timeline: [],
    // Faults may happen until the end, and nothing heals by itself.
    faultsUntilMs: untilMs,
    healMs: 0,
    startUpMs,
    // A fleet does not say how long its batches run: they run on.
    batchRunMs: Infinity,
  };
}
