/**
 * `npm run mutants [-- NAME …] [--seeds N] [--json]`: how soon the simulator finds each known defect.
 * A mutant that survives is reported as surviving; the exit code is 1 then.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { loadScenario, optionsOf, runUnder } from "../scenarios/tell.ts";
import { buildMutant } from "./build-mutant.ts";
import type { Catch } from "./hunt.ts";
import { type Mutant, readMutants } from "./mutant-file.ts";

/** The aim is to kill within this many seeds. */
const SEEDS = "500";

interface Row extends Catch {
  readonly name: string;
  readonly seconds: number;
}

/** One run of the scenario that its own file names, in place of a hunt through seeds. */
async function toldIn(mutant: Mutant, scenario: string): Promise<Row> {
  const began = performance.now();
  const options = optionsOf(loadScenario(scenario));
  const [result] = await runUnder(mutant.name, [options]);
  const { violation } = result ?? {};
  const found = violation && { rule: violation.rule, shrunkFaults: options.faults.explicit.length };
  const seconds = (performance.now() - began) / 1000;
  return { name: mutant.name, seconds, killed: found !== undefined, seeds: 1, ...found };
}

/** The tests that its own file names, on its source, in place of a hunt through seeds. */
async function tested({ name }: Mutant, file: string): Promise<Row> {
  const began = performance.now();
  const env = { ...process.env, BERTH_MUTANT: name, NO_COLOR: "1", FORCE_COLOR: "0" };
  const found = await new Promise<{ readonly killed: boolean; readonly said: string }>((resolve) =>
    execFile("npx", ["vitest", "run", file], { env, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
      resolve({ killed: error !== null, said: stdout + stderr }),
    ),
  );
  const [rule] = /(?<=FAIL .*\[)[A-Z]+\d+(?=\])/.exec(found.said) ?? ["(test)"];
  const seconds = (performance.now() - began) / 1000;
  return { name, seconds, killed: found.killed, seeds: 0, rule, shrunkFaults: 0 };
}

async function hunted(mutant: Mutant, seeds: string, folder: string): Promise<Row> {
  if (mutant.test !== undefined) return tested(mutant, mutant.test);
  if (mutant.scenario !== undefined) return toldIn(mutant, mutant.scenario);
  const bundle = path.join(folder, `${mutant.name}.mjs`);
  await buildMutant(mutant, bundle);
  const began = performance.now();
  const caught = await new Promise<Catch>((resolve, reject) => {
    const worlds = mutant.isRegional === true ? ["regional"] : [];
    execFile(
      process.execPath,
      [bundle, seeds, ...worlds],
      { maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        if (error === null) resolve(JSON.parse(stdout) as Catch);
        else reject(new Error(`Mutant ${mutant.name} broke the simulator itself:\n${stderr}`));
      },
    );
  });
  return { name: mutant.name, seconds: (performance.now() - began) / 1000, ...caught };
}

const line = (row: Row): string =>
  [
    row.name.padEnd(30),
    (row.killed ? (row.rule ?? "") : "SURVIVED").padEnd(9),
    String(row.seeds).padStart(6),
    row.seconds.toFixed(1).padStart(8),
    (row.killed ? String(row.shrunkFaults) : "-").padStart(7),
  ].join(" ");

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: "string", default: SEEDS },
      json: { type: "boolean", default: false },
    },
  });
  const all = readMutants();
  const unknown = positionals.find((name) => !all.some((mutant) => mutant.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no mutant ${unknown}; there are ${all.map(({ name }) => name).join(", ")}.`,
    );
  }
  const waiting = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const folder = mkdtempSync(path.join(tmpdir(), "berth-mutants-"));
  const rows: Row[] = [];
  const say = (text: string): void => {
    if (!values.json) process.stdout.write(`${text}\n`);
  };
  say(`${"mutant".padEnd(30)} ${"rule".padEnd(9)}  seeds  seconds  faults`);
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const row = await hunted(mutant, values.seeds, folder);
      rows.push(row);
      say(line(row));
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const killed = rows.filter((row) => row.killed);
  const sizes = killed.map((row) => row.shrunkFaults ?? 0).toSorted((a, b) => a - b);
  const medianShrunk = sizes[sizes.length >> 1] ?? 0;
  const survived = rows.filter((row) => !row.killed).map(({ name }) => name);
  say(`${killed.length} of ${rows.length} killed; median shrunk scenario: ${medianShrunk} faults`);
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ killed: killed.length, of: rows.length, medianShrunk, survived, rows })}\n`,
    );
  }
  process.exitCode = survived.length === 0 ? 0 : 1;
}

await main();
