/** The document of a real run in which a rule is violated: a scenario, run by code that has one of the known defects. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { IncidentDocument } from "../../src/incident/incident-document.ts";
import { buildMutant } from "../mutants/build-mutant.ts";
import { readMutants } from "../mutants/mutant-file.ts";
import { loadScenario, optionsOf } from "../scenarios/tell.ts";

export interface AViolation {
  readonly defect: string;
  readonly scenario: string;
  /** For the bundle; the caller takes it away. */
  readonly folder: string;
}

/** A defect may well loop for ever; a run takes a tenth of a second. */
const TIMEOUT_MS = 120_000;

export async function aViolation({
  defect,
  scenario,
  folder,
}: AViolation): Promise<IncidentDocument> {
  const mutant = readMutants().find(({ name }) => name === defect);
  if (mutant === undefined) throw new Error(`There is no defect ${defect}.`);
  const bundle = join(folder, "tell-incident.mjs");
  await buildMutant(mutant, bundle, join(import.meta.dirname, "tell-incident.ts"));
  const told = execFileSync(process.execPath, [bundle], {
    input: JSON.stringify({ ...optionsOf(loadScenario(scenario)), title: scenario }),
    maxBuffer: 1 << 26,
    timeout: TIMEOUT_MS,
  });
  return JSON.parse(told.toString()) as IncidentDocument;
}
