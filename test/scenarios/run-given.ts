/** Runs what it is given on standard input and prints the results; bundled once per defect. */
import { readFileSync } from "node:fs";
import { run } from "../../src/sim/run.ts";
import type { RunOptions } from "../../src/sim/report/run-result.ts";

const runs = JSON.parse(readFileSync(0, "utf8")) as readonly RunOptions[];
process.stdout.write(JSON.stringify(runs.map((options) => run(options))));
