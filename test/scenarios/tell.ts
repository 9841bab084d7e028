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
import type { RunOptions, RunResult } from "../../src/sim/report/run-result.ts";
import { buildMutant } from "../mutants/build-mutant.ts";
import { readMutants } from "../mutants/mutant-file.ts";
import { Told } from "./told.ts";

/** A defect may well loop for ever; a run of this folder takes a tenth of a second. */
const DEFECT_TIMEOUT_MS = 120_000;

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

/** What a defect does to a world: without the scenario's faults, and with them. */
export interface Power {
  /** "clean" when only the faults bring the defect to light. */
  readonly withoutFaults: string;
  /** The rule that was broken, or what the scenario's own proof did not find. */
  readonly withFaults: string;
}

export async function power(of: {
  readonly defect: string;
  readonly scenario: string;
  readonly prove: (told: Told) => void;
}): Promise<Power> {
  const options = optionsOf(loadScenario(of.scenario));
  const quiet = { ...options, faults: { explicit: [], rates: {} } };
  const [without, full] = await runUnder(of.defect, [quiet, options]);
  if (without === undefined || full === undefined) throw new Error(`${of.defect} gave no result.`);
  return {
    withoutFaults: brokenRule(without) ?? "clean",
    withFaults: brokenRule(full) ?? notProved(new Told(full, options.faults.explicit), of.prove),
  };
}

const brokenRule = ({ violation }: RunResult): string | undefined =>
  violation && `${violation.rule}: ${violation.message}`;

function notProved(told: Told, prove: (told: Told) => void): string {
  try {
    prove(told);
  } catch (error) {
    return `not proved: ${error instanceof Error ? error.message : String(error)}`;
  }
  return "nothing: the scenario came out as it should";
}

/** Runs in a process of its own, because a defect may loop or crash. */
export async function runUnder(
  defect: string,
  runs: readonly RunOptions[],
): Promise<readonly RunResult[]> {
  const mutant = readMutants().find(({ name }) => name === defect);
  if (mutant === undefined)
    throw new Error(`There is no defect ${defect} in test/mutants/defects.`);
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
