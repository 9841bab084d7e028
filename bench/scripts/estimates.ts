/**
 * `npm run bench:estimates [-- --json] [--seeds N]`: how often a wait ended within its estimate (the
 * aim is half) and within the end of its interval (the aim is nine of ten), over simulated fleets
 * with a queue. Nodes crash and starts are slow in half of the runs. The same seeds give the same
 * figures on every machine.
 */
import { parseArgs } from "node:util";
import { run } from "../../src/sim/run.ts";
import { busyWorld } from "./estimates/busy-world.ts";
import { noScores, scoreEstimates } from "./estimates/score-estimates.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seeds: { type: "string", default: "40" },
  },
});

const CALM = {};
const STORMY = { "node-crash": 4, "slow-start": 20_000, "process-exit": 5_000 };

const scores = { calm: noScores(), stormy: noScores() };
const alarms: string[] = [];
for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  const kind = seed % 2 === 0 ? "stormy" : "calm";
  const rates = kind === "stormy" ? STORMY : CALM;
  const result = run({
    world: busyWorld(seed),
    seed,
    faults: { explicit: [], rates },
    trace: true,
  });
  if (result.violation) alarms.push(`seed ${seed}: ${result.violation.rule}`);
  scoreEstimates(result, scores[kind]);
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * 1_000) / whole) / 10;

const rows = Object.entries(scores).map(([kind, of]) => ({
  runs: kind,
  estimates: of.said,
  withInterval: of.withInterval,
  withinEstimatePercent: percent(of.withinEstimate, of.withInterval),
  withinUpToPercent: percent(of.withinUpTo, of.withInterval),
  withoutInterval: of.bare,
  withinBareEstimatePercent: percent(of.bareWithin, of.bare),
  medianWidthPercent: of.widths.toSorted((a, b) => a - b)[of.widths.length >> 1] ?? 0,
}));

if (values.json) process.stdout.write(`${JSON.stringify({ rows, alarms })}\n`);
else {
  for (const row of rows) {
    process.stdout.write(
      `${row.runs}: ${row.estimates} waits were estimated. With an interval: ${row.withInterval}; ` +
        `${row.withinEstimatePercent} % ended within the estimate, ${row.withinUpToPercent} % within its end ` +
        `(${row.medianWidthPercent} % of the estimate in the median). Without one: ${row.withoutInterval}; ` +
        `${row.withinBareEstimatePercent} % ended within the estimate.\n`,
    );
  }
  for (const alarm of alarms) process.stdout.write(`${alarm}\n`);
}
process.exitCode = alarms.length === 0 ? 0 : 1;
