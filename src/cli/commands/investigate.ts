/**
 * Turns a violating run into something a person can work with: a scenario that lists its faults,
 * shrunk if asked, and the story of what happened.
 */
import type { Scenario } from "../../scenario/scenario.ts";
import { ruleSentence } from "../../sim/check/rule-sentences.ts";
import type { RunOptions, RunResult } from "../../sim/report/run-result.ts";
import { type Case, type Probe, shrink, type ShrinkProgress } from "../../sim/shrink/shrink.ts";
import { tellStory } from "../../sim/report/story.ts";
import type { World } from "../../sim/world/world.ts";
import { type SeedOutcome, runNamingSeed } from "../simulate/run-seeds.ts";

export interface Investigation {
  /** Undefined when the listed faults alone do not bring the violation back. */
  readonly scenario: Scenario | undefined;
  /** The run that the scenario stands for, with its trace. */
  readonly result: RunResult;
}

export interface InvestigateOptions {
  readonly world: World;
  readonly outcome: SeedOutcome;
  readonly shrink: boolean;
  /** Its run is to become a document. */
  readonly witness?: boolean;
  readonly onProgress: (progress: ShrinkProgress) => void;
}

type Violating = RunResult & { readonly violation: NonNullable<RunResult["violation"]> };

export function investigate(options: InvestigateOptions): Investigation {
  const { world, outcome } = options;
  const rule = outcome.violation?.rule;
  if (rule === undefined) throw new Error(`seed ${outcome.seed} has no violation`);
  // Their conclusions are listed now, and a file that still spoke of them would say it twice.
  const { losses: _losses, faults: _kinds, ...told } = world;
  let smallest: Case = { world: told, faults: outcome.fired };
  let how = `Found by seed ${outcome.seed}.`;
  if (options.shrink) {
    const shrunk = shrink({
      start: smallest,
      rule,
      probe: (tried) => probe(explicitRun(tried.world, outcome.seed, tried.faults)),
      onProgress: options.onProgress,
    });
    ({ smallest } = shrunk);
    how += ` Shrunk from ${outcome.fired.length} faults to ${smallest.faults.length} in ${shrunk.runs} runs.`;
  }
  const again = {
    ...explicitRun(smallest.world, outcome.seed, smallest.faults),
    trace: true,
    witness: options.witness === true,
  };
  const result = runNamingSeed(again);
  if (!isViolationOf(result, rule)) return { scenario: undefined, result };
  const scenario: Scenario = {
    name: `violation-${outcome.seed}`,
    about: `${rule}: ${result.violation.message} ${how}`,
    world: { kind: "inline", world: smallest.world },
    seed: outcome.seed,
    expect: { kind: "violation", rule },
    faults: smallest.faults,
  };
  return { scenario, result };
}

function probe(options: RunOptions): ReturnType<Probe> {
  try {
    const { violation, fired } = runNamingSeed(options);
    return violation && { rule: violation.rule, fired };
  } catch {
    // A world cut down too far (no nodes, say) may be one the simulator cannot run; it is not the
    // violation.
    return undefined;
  }
}

function explicitRun(world: World, seed: number, faults: SeedOutcome["fired"]): RunOptions {
  return { world, seed, faults: { explicit: faults, rates: {} } };
}

function isViolationOf(result: RunResult, rule: string): result is Violating {
  return result.violation?.rule === rule;
}

export function storyOf(result: RunResult, command: string): string {
  return tellStory({ result, sentenceOf: ruleSentence, command });
}
