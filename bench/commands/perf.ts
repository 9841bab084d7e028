/** `berth bench perf`: run scenarios of Kubernetes' scheduler_perf benchmark, in one table. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { PathOutcome } from "../path/path-task.ts";
import { asInTable, readOriginals } from "../perf/original-table.ts";
import { divided, originalName, type Scenario } from "../perf/scenario.ts";
import { SCENARIOS } from "../perf/scenarios.ts";
import { barChart } from "../svg/bar-chart.ts";
import { UserError } from "../../src/shell/errors.ts";
import { didYouMean } from "../../src/spelling/nearest.ts";
import { readInput } from "../../src/shell/read-input.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { SILENT } from "./path.ts";
import { addPathOptions, type PathOptions, surroundingsOf } from "./path-options.ts";
import { shownStore } from "./place-options.ts";
import { readCount } from "./read-count.ts";

interface PerfOptions extends PathOptions {
  readonly data?: string;
  readonly only?: string;
  readonly divide?: string;
}

/** The table's name in the folder that `--data` names. */
const TABLE_FILE = "scheduler_perf_workloads.csv";

export const perfBench: Benchmark<PerfOptions> = {
  name: "perf",
  description: "run scenarios of Kubernetes' scheduler_perf benchmark",
  addOptions(command: Command): void {
    command
      .option("--data <dir>", `read counts and thresholds from DIR/${TABLE_FILE}`)
      .option("--only <names>", "scenarios to run, separated by commas (default: all)")
      .option("--divide <n>", "divide nodes and counts by this factor, for a quick run");
    addPathOptions(command);
  },
  run: runPerf,
};

interface Row {
  readonly scenario: Scenario;
  readonly outcome: PathOutcome;
}

async function runPerf(options: PerfOptions, frame: BenchFrame): Promise<BenchReport> {
  const divisor = readCount("--divide", options.divide, 1);
  const scenarios = chosen(options);
  const surroundings = surroundingsOf(options);
  const { runPath } = await import("../path/run-path.ts");
  const rows: Row[] = [];
  for (const [at, scenario] of scenarios.entries()) {
    const folder = join(frame.folder, scenario.name);
    mkdirSync(folder);
    const stage = scenario.stage(divided(scenario.params, divisor));
    const outcome = await runPath({ ...surroundings, ...stage, folder }, (done, total, label) =>
      frame.progress(done, total, `${label} (${scenario.name}, ${at + 1} of ${scenarios.length})`),
    );
    rmSync(folder, { recursive: true });
    rows.push({ scenario, outcome });
  }
  return reportOf(rows, { store: shownStore(surroundings.store), divisor });
}

function chosen({ only, data }: PerfOptions): readonly Scenario[] {
  const names = SCENARIOS.map(({ name }) => name);
  const wanted = only?.split(",").map((word) => word.trim()) ?? names;
  const scenarios = wanted.map((word) => {
    const found = SCENARIOS.find(({ name }) => name === word);
    if (found !== undefined) return found;
    const hint = didYouMean(word, names);
    throw new UserError(
      "bad-usage",
      `--only: found "${word}", expected some of ${names.join(", ")}.${hint}`,
    );
  });
  if (data === undefined) return scenarios;
  const isFolder = statSync(data, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(data, TABLE_FILE) : data;
  const text = readInput(file);
  try {
    const table = readOriginals(text);
    return scenarios.map((scenario) => asInTable(scenario, table));
  } catch (error) {
    throw new UserError("invalid-file", error instanceof Error ? error.message : "", { file });
  }
}

interface Given {
  readonly store: string;
  readonly divisor: number;
}

function reportOf(rows: readonly Row[], { store, divisor }: Given): BenchReport {
  const isSmaller = divisor !== 1;
  return {
    store,
    figures: { divide: divisor, scenarios: rows.map(figuresOf) },
    table: [
      ["SCENARIO", "BOUND", "BOUND/S", "KUBERNETES' CI ≥", "P99 MS", "CPU S", "PEAK MIB"],
      ...rows.map(cellsOf),
    ],
    notes: [
      "KUBERNETES' CI ≥: pods a second below which Kubernetes' own CI fails the same scenario, on six cores of its own.",
      ...(isSmaller
        ? [`Nodes and counts were divided by ${divisor}: the figures are not comparable.`]
        : []),
      ...rows.flatMap(notesOf),
    ],
    plot: () => plotOf(rows),
    isComplete: rows.every(({ outcome }) => outcome.kind !== "stuck" && isWhole(outcome)),
  };
}

/** What the plane does not take cannot be left undone. */
const isWhole = (outcome: PathOutcome): boolean =>
  outcome.kind !== "measured" || outcome.figures.bound === outcome.figures.wanted;

const NOT_SUPPORTED = "not supported by this build";

function figuresOf({ scenario, outcome }: Row): Readonly<Record<string, unknown>> {
  const named = {
    scenario: scenario.name,
    original: originalName(scenario.original),
    kubernetesThreshold: scenario.threshold ?? null,
  };
  switch (outcome.kind) {
    case "measured":
      return { ...named, ...outcome.figures };
    case "refused":
      return { ...named, boundPerSecond: null, reason: NOT_SUPPORTED, message: outcome.message };
    case "stuck":
      return { ...named, boundPerSecond: null, reason: "stuck", message: outcome.message };
  }
}

function cellsOf({ scenario, outcome }: Row): readonly string[] {
  const threshold = String(scenario.threshold ?? "none set");
  if (outcome.kind === "refused") return [scenario.name, NOT_SUPPORTED, "", threshold];
  if (outcome.kind === "stuck") return [scenario.name, "stuck", "", threshold];
  const { bound, wanted, boundPerSecond, cpuSeconds, rssMiB } = outcome.figures;
  return [
    scenario.name,
    bound === wanted ? String(bound) : `${bound} of ${wanted}`,
    String(boundPerSecond),
    threshold,
    String(outcome.figures.createToBoundP99Ms),
    String(cpuSeconds ?? "unknown"),
    String(rssMiB ?? "unknown"),
  ];
}

function notesOf({ scenario, outcome }: Row): readonly string[] {
  if (outcome.kind !== "measured") return [`${scenario.name}: ${outcome.message}`];
  const { bound, wanted, stopped, nodesFellSilent } = outcome.figures;
  const silent = nodesFellSilent ? [`${scenario.name}: ${SILENT}`] : [];
  if (bound === wanted) return silent;
  const preempted = stopped === 0 ? "nothing was preempted" : `${stopped} were preempted`;
  return [...silent, `${scenario.name}: ${wanted - bound} replicas were not placed; ${preempted}.`];
}

const plotOf = (rows: readonly Row[]): string =>
  barChart({
    title: "Scheduler scenarios: replicas bound a second, whole durable path",
    value: { label: "replicas or pods", unit: "1/s", scale: "log" },
    series: ["Berth", "least that Kubernetes' CI accepts"],
    rows: rows.map(({ scenario, outcome }) => ({
      name: scenario.name,
      values: [
        outcome.kind === "measured" ? outcome.figures.boundPerSecond : undefined,
        scenario.threshold,
      ],
    })),
  });
