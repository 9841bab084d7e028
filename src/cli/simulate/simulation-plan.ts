/**
 * What `berth simulate` is to run, worked out from its options. A plan is plain values, so it can
 * be handed to a worker thread as it is.
 */
import { FAULT_NAMES } from "../../scenario/fault-fields.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { readScenarioFile } from "../../scenario/scenario-file.ts";
import { readWorldFile } from "../../scenario/world-file.ts";
import type { Fault, FaultName } from "../../sim/faults/fault.ts";
import type { FaultSource, RunOptions } from "../../sim/report/run-result.ts";
import { attacked } from "../../sim/hostile/draw-attacks.ts";
import { drawRegionLosses } from "../../sim/faults/region-loss.ts";
import { standardWorld } from "../../sim/world/standard-world.ts";
import { drawRegionalWorld } from "../../sim/swarm/swarm-regional.ts";
import { drawSwarm, HIGHEST, swarmRates } from "../../sim/swarm/swarm.ts";
import type { World } from "../../sim/world/world.ts";
import { UserError } from "../../shell/errors.ts";
import { readSeeds, type Seeds } from "../../shell/read-seeds.ts";

export type FaultChoice =
  | { readonly kind: "swarm" }
  /** What the swarm draws, as far as it is of the kinds that the world names. */
  | { readonly kind: "own" }
  | { readonly kind: "none" }
  | { readonly kind: "named"; readonly names: readonly FaultName[] }
  | { readonly kind: "listed"; readonly faults: readonly Fault[] };

export interface SimulationPlan {
  readonly seeds: Seeds;
  /** Undefined: every seed draws a world of its own. */
  readonly world: World | undefined;
  readonly faults: FaultChoice;
  /** Hostile senders are in every world, not in those alone for which they are drawn. */
  readonly isHostile?: true;
  /** Each seed is run in two worlds that differ in what one tenant wrote, to compare them. */
  readonly isCompared?: true;
  /** Every world has regions with planes of their own, not those alone for which they are drawn. */
  readonly isRegional?: true;
}

export interface PlanOptions {
  readonly world?: string;
  readonly seeds?: string;
  readonly seed?: string;
  readonly faults?: string;
  readonly scenario?: string;
  readonly hostile?: boolean;
  readonly twoWorlds?: boolean;
  readonly regional?: boolean;
}

export function planSimulation(options: PlanOptions): SimulationPlan {
  if (options.twoWorlds === true) return planComparison(options);
  if (options.scenario !== undefined) return planScenario(options.scenario, options);
  const world = readWorldChoice(options.world);
  const isOwn = options.faults === undefined && world?.faults !== undefined;
  return {
    seeds: readSeeds(options),
    world,
    faults: isOwn ? { kind: "own" } : readFaultChoice(options.faults),
    ...(options.hostile === true ? { isHostile: true } : {}),
    ...(options.regional === true ? { isRegional: true } : {}),
  };
}

/** Both worlds are drawn from the seed, with its faults. */
function planComparison(options: PlanOptions): SimulationPlan {
  const clash = (["world", "scenario", "faults", "hostile", "regional"] as const).find(
    (name) => options[name] !== undefined,
  );
  if (clash !== undefined) {
    throw new UserError("bad-usage", `--two-worlds and --${clash} cannot be used together.`);
  }
  const seeds = readSeeds(options);
  return { seeds, world: undefined, faults: { kind: "swarm" }, isCompared: true };
}

function planScenario(file: string, options: PlanOptions): SimulationPlan {
  const clash = (["world", "seeds", "seed", "faults", "hostile", "regional"] as const).find(
    (name) => options[name] !== undefined,
  );
  if (clash !== undefined) {
    throw new UserError("bad-usage", `--scenario and --${clash} cannot be used together.`);
  }
  const { scenario, world } = readScenarioFile(file);
  return {
    seeds: { first: scenario.seed, last: scenario.seed },
    world,
    faults: { kind: "listed", faults: scenario.faults },
  };
}

function readWorldChoice(world: string | undefined): World | undefined {
  if (world === undefined) return undefined;
  return world === "standard" ? standardWorld() : readWorldFile(world);
}

function readFaultChoice(text: string | undefined): FaultChoice {
  if (text === undefined || text === "swarm") return { kind: "swarm" };
  if (text === "none") return { kind: "none" };
  const names = text.split(",").map((word) => {
    const name = FAULT_NAMES.find((known) => known === word.trim());
    if (name !== undefined) return name;
    const hint = didYouMean(word, [...FAULT_NAMES, "swarm", "none"]);
    const expected = `swarm, none, or a list of ${FAULT_NAMES.join(", ")}`;
    throw new UserError("bad-usage", `--faults: found "${word}", expected ${expected}.${hint}`);
  });
  return { kind: "named", names };
}

/** The run of one seed. */
export function runOptionsFor(plan: SimulationPlan, seed: number): RunOptions {
  const drawn = plan.world ?? drawnFor(plan, seed);
  // Hostile senders are at one plane: they know of no other.
  const isAlone = drawn.regional === undefined;
  const isMade = plan.isHostile === true && drawn.attacks === undefined && isAlone;
  const world = isMade ? attacked(seed, drawn) : drawn;
  return { world, seed, faults: faultSource(plan, seed) };
}

const drawnFor = (plan: SimulationPlan, seed: number): World =>
  plan.isRegional === true ? drawRegionalWorld(seed) : drawSwarm(seed).world;

/** What a world loses is part of its story, whichever faults come on top of it. */
function faultSource({ faults, world }: SimulationPlan, seed: number): FaultSource {
  const explicit = world === undefined ? [] : drawRegionLosses(world, seed);
  switch (faults.kind) {
    case "swarm":
      return { explicit, rates: world ? swarmRates(seed) : drawSwarm(seed).rates };
    case "own":
      return { explicit, rates: onlyOf(swarmRates(seed), world?.faults ?? []) };
    case "none":
      return { explicit, rates: {} };
    case "named":
      return {
        explicit,
        rates: Object.fromEntries(faults.names.map((name) => [name, rateOf(name)])),
      };
    case "listed":
      return { explicit: faults.faults, rates: {} };
  }
}

const onlyOf = (rates: FaultSource["rates"], names: readonly FaultName[]): FaultSource["rates"] =>
  Object.fromEntries(names.map((name) => [name, rates[name] ?? 0]));

/** The options that lead to the same run, for a person to type. */
export function planArguments(options: PlanOptions, seed: number): string {
  if (options.scenario !== undefined) return `--scenario ${options.scenario}`;
  const world = options.world === undefined ? "" : ` --world ${options.world}`;
  const faults = options.faults === undefined ? "" : ` --faults ${options.faults}`;
  const hostile = options.hostile === true ? " --hostile" : "";
  const regional = options.regional === true ? " --regional" : "";
  const twoWorlds = options.twoWorlds === true ? " --two-worlds" : "";
  return `--seed ${seed}${world}${faults}${hostile}${regional}${twoWorlds}`;
}

/**
 * Half of what the swarm goes up to: often enough to be met in every run, not so often that nothing
 * else happens.
 */
function rateOf(name: FaultName): number {
  return Math.ceil(HIGHEST[name] / 2);
}
