/** Runs what it is given on standard input and prints its incident document; bundled with a defect by `a-violation.ts`. */
import { readFileSync } from "node:fs";
import { documentOfRun } from "../../src/incident/document-of-run.ts";
import { run } from "../../src/sim/run.ts";
import type { RunOptions } from "../../src/sim/report/run-result.ts";

const { title, ...options } = JSON.parse(readFileSync(0, "utf8")) as RunOptions & { title: string };
const result = run({ ...options, witness: true });
const again = `berth simulate --scenario ${title}.yaml`;
process.stdout.write(JSON.stringify(documentOfRun(result, { title, version: "test", again })));
