/**
 * `npm run bench:estimates [-- --json] [--seeds N]`: how often a wait ended within its estimate (aim:
 * half) and within the end of its interval (aim: nine of ten), over simulated fleets with a queue.
 * The same seeds give the same figures on every machine.
 */
import { parseArgs } from "node:util";
import { measureEstimates } from "./estimates/measure-estimates.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    seeds: { type: "string", default: "40" },
  },
});

const report = measureEstimates(Number(values.seeds));
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  for (const row of report.rows) {
    process.stdout.write(
      `${row.runs}: ${row.estimates} waits were estimated\n` +
        `  with an interval: ${row.withInterval}; ${row.withinEstimatePercent} % ended within the estimate, ` +
        `${row.withinEndPercent} % within its end (in the median ${row.medianEndPercent} % of the estimate)\n` +
        `  without one: ${row.withoutInterval}; ${row.withinBareEstimatePercent} % ended within the estimate\n`,
    );
  }
  for (const alarm of report.alarms) process.stdout.write(`${alarm}\n`);
}
process.exitCode = report.alarms.length === 0 ? 0 : 1;
