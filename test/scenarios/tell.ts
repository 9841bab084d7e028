/**
 * Runs a scenario of this folder: as the code is, or as it would be with one of the known defects. A test that
 * no defect can fail proves nothing, so every scenario here is told both ways.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type LoadedScenario, readScenarioFile } from "../../src/scenario/scenario-file.ts";
import { run } from "../../src/sim/run.ts";
import type { RunOptions, RunResult } from "../../src/sim/run-result.ts";
import { buildMutant } from "../mutants/build-mutant.ts";
import { readMutants } from "../mutants/mutant-file.ts";
import { Told } from "./told.ts";

/** A defect may well loop for ever; a run of this folder takes a tenth of a second. */
const DEFECT_TIMEOUT_MS = 30_000;

export const optionsOf = ({ scenario, world }: LoadedScenario): RunOptions => ({
  world,
  seed: scenario.seed,
  faults: { explicit: scenario.faults, rates: {} },
  trace: true,
});

export const loadScenario = (name: string): LoadedScenario =>
  readScenarioFile(path.join(import.meta.dirname, `${name}.yaml`));

export function tell(name: string): Told {
  const options = optionsOf(loadScenario(name));
  return new Told(run(options), options.faults.explicit);
}

export async function tellUnder(defect: string, name: string): Promise<Told> {
  const options = optionsOf(loadScenario(name));
  const [result] = await runUnder(defect, [options]);
  if (result === undefined) throw new Error(`The defect ${defect} gave no result for ${name}.`);
  return new Told(result, options.faults.explicit);
}

/** Runs in a process of its own, because a defect may loop or crash. */
export async function runUnder(
  defect: string,
  runs: readonly RunOptions[],
): Promise<readonly RunResult[]> {
  const mutant = readMutants().find(({ name }) => name === defect);
  if (mutant === undefined) throw new Error(`There is no defect ${defect} in test/mutants/defects.`);
  const folder = mkdtempSync(path.join(tmpdir(), "berth-scenarios-"));
  try {
    const bundle = path.join(folder, "run-given.mjs");
    await buildMutant(mutant, bundle, path.join(import.meta.dirname, "run-given.ts"));
    return await resultsOf(bundle, runs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsOf(bundle: string, runs: readonly RunOptions[]): Promise<readonly RunResult[]> {
  return new Promise((resolve, reject) => {
    const limits = { maxBuffer: 1 << 28, timeout: DEFECT_TIMEOUT_MS };
    const child = execFile(process.execPath, [bundle], limits, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout) as readonly RunResult[]);
      else reject(error);
    });
    child.stdin?.end(JSON.stringify(runs));
  });
}

/** How a run under a defect gives itself away: by the rule it breaks, or by what its proof does not find. */
export function giveaway(told: Told, prove: (told: Told) => void): string {
  const { violation } = told.result;
  if (violation !== undefined) return `${violation.rule}: ${violation.message}`;
  try {
    prove(told);
  } catch (error) {
    return `not proved: ${error instanceof Error ? error.message : String(error)}`;
  }
  return "nothing: the scenario came out as it should";
}
