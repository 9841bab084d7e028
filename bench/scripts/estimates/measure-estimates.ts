/** Runs the seeds, half of them with crashes and slow starts, and scores all that was estimated. */
import { run } from "../../../src/sim/run.ts";
import { busyWorld } from "./busy-world.ts";
import { noScores, type WaitScores } from "../../../src/replay/score-waits.ts";
import { scoreEstimates } from "./score-estimates.ts";

const STORMY = { "node-crash": 4, "slow-start": 20_000, "process-exit": 5_000 };

export interface EstimateFigures {
  readonly runs: "calm" | "stormy";
  readonly estimates: number;
  readonly withInterval: number;
  readonly withinEstimatePercent: number;
  readonly withinEndPercent: number;
  /** The end of the interval in percent of the estimate. */
  readonly medianEndPercent: number;
  readonly withoutInterval: number;
  readonly withinBareEstimatePercent: number;
}

export interface EstimateReport {
  readonly rows: readonly EstimateFigures[];
  /** Rules that a run violated: there are none unless Berth has a bug. */
  readonly alarms: readonly string[];
}

export function measureEstimates(seeds: number): EstimateReport {
  const scores = { calm: noScores(), stormy: noScores() };
  const alarms: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const runs = seed % 2 === 0 ? "stormy" : "calm";
    const rates = runs === "stormy" ? STORMY : {};
    const faults = { explicit: [], rates };
    const result = run({ world: busyWorld(seed), seed, faults, trace: true });
    if (result.violation) alarms.push(`seed ${seed}: ${result.violation.rule}`);
    scoreEstimates(result, scores[runs]);
  }
  return { rows: [figuresOf("calm", scores.calm), figuresOf("stormy", scores.stormy)], alarms };
}

const figuresOf = (runs: EstimateFigures["runs"], of: WaitScores): EstimateFigures => ({
  runs,
  estimates: of.said,
  withInterval: of.withInterval,
  withinEstimatePercent: percent(of.withinEstimate, of.withInterval),
  withinEndPercent: percent(of.withinUpTo, of.withInterval),
  medianEndPercent: of.widths.toSorted((a, b) => a - b)[Math.floor(of.widths.length / 2)] ?? 0,
  withoutInterval: of.bare,
  withinBareEstimatePercent: percent(of.bareWithin, of.bare),
});

/** With one decimal. */
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * 1_000) / whole) / 10;
