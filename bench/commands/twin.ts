/**
 * `berth bench twin`: how long the twin of a large fleet takes to lose a zone, or with
 * `--against-real` how true the twin of a small real fleet is.
 */
import type { Command } from "commander";
import { barChart } from "../svg/bar-chart.ts";
import { againstRealReport } from "../twin/against-real-report.ts";
import { type Loss, LOSSES } from "../twin/real-round.ts";
import { ZONES } from "../twin/make-fleet.ts";
import type { TwinFigures } from "../twin/run-twin-bench.ts";
import { UserError } from "../../src/shell/errors.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readCount } from "./read-count.ts";

interface TwinOptions {
  readonly nodes?: string;
  readonly replicas?: string;
  readonly minutes?: string;
  readonly againstReal?: boolean;
  readonly losses?: string;
  readonly runs?: string;
  readonly seeds?: string;
}

export const twinBench: Benchmark<TwinOptions> = {
  name: "twin",
  description: "measure a simulated loss of one zone of a large fleet",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--replicas <n>", "number of replicas (default: 50000)")
      .option("--minutes <n>", "simulated minutes after the loss (default: 10)")
      .option("--against-real", "compare recoveries of real processes with those of their twin")
      .option("--losses <kinds>", "with --against-real: node, zone or agent (default: all three)")
      .option("--runs <n>", "with --against-real: real losses of each kind (default: 3)")
      .option("--seeds <n>", "with --against-real: simulations of each loss (default: 9)");
  },
  run: runTwinBenchmark,
};

async function runTwinBenchmark(options: TwinOptions, frame: BenchFrame): Promise<BenchReport> {
  checkOptions(options);
  if (options.againstReal === true) return runRealBenchmark(options, frame);
  const { progress } = frame;
  const task = {
    nodes: readCount("--nodes", options.nodes, 5_000),
    replicas: readCount("--replicas", options.replicas, 50_000),
    minutes: readCount("--minutes", options.minutes, 10),
  };
  // Loaded only here: it brings the simulator along.
  const { runTwinBench } = await import("../twin/run-twin-bench.ts");
  progress(0, 1, `minutes of ${task.nodes} nodes`);
  const figures = runTwinBench(task);
  const { seconds, cpuSeconds, events, peakRssMiB, lost, recovered, slowestMs } = figures;
  return {
    store: "none",
    figures: { ...figures, options: task },
    table: [
      ["SECONDS", "CPU SECONDS", "EVENTS", "PEAK MIB", "LOST", "RECOVERED", "SLOWEST MS"],
      [seconds, cpuSeconds, events, peakRssMiB, lost, recovered, slowestMs ?? "-"].map(String),
    ],
    notes: [
      `One of ${ZONES} zones lost power, and ${task.minutes} minutes after it were simulated on one core. LOST and RECOVERED count workloads.`,
    ],
    plot: () => plotOf(figures),
    isComplete: figures.recovered === figures.lost && figures.violations.length === 0,
  };
}

const OF_REAL = ["losses", "runs", "seeds"] as const;
const OF_MADE = ["nodes", "replicas", "minutes"] as const;

/** An option of the other measurement would be left out without a word. */
function checkOptions(options: TwinOptions): void {
  const isReal = options.againstReal === true;
  const wrong = (isReal ? OF_MADE : OF_REAL).find((each) => options[each] !== undefined);
  if (wrong === undefined) return;
  const why = isReal
    ? `--${wrong} is about a made fleet; the real fleet of --against-real is small. Leave one out.`
    : `--${wrong} is about real losses. Add --against-real, or leave it out.`;
  throw new UserError("bad-usage", why);
}

async function runRealBenchmark(options: TwinOptions, frame: BenchFrame): Promise<BenchReport> {
  const task = {
    losses: readLosses(options.losses),
    runs: readCount("--runs", options.runs, 3),
    seeds: readCount("--seeds", options.seeds, 9),
  };
  const { runAgainstReal } = await import("../twin/run-against-real.ts");
  const rounds = await runAgainstReal({ ...task, folder: frame.folder }, frame.progress);
  return againstRealReport(rounds, task);
}

function readLosses(text: string | undefined): readonly Loss[] {
  if (text === undefined) return LOSSES;
  return text.split(",").map((name) => {
    const loss = LOSSES.find((each) => each === name.trim());
    if (loss !== undefined) return loss;
    throw new UserError(
      "bad-usage",
      `--losses: found "${name}", expected ${LOSSES.join(", ")}, or several separated by commas.`,
    );
  });
}

const plotOf = ({ seconds, cpuSeconds }: TwinFigures): string =>
  barChart({
    title: "The loss of a zone, simulated",
    value: { label: "time", unit: "s", scale: "linear" },
    series: ["wall clock", "processor"],
    rows: [{ name: "twin", values: [seconds, cpuSeconds] }],
  });
