/** `berth bench twin`: how long the twin of a large fleet takes to lose a zone. */
import type { Command } from "commander";
import { barChart } from "../svg/bar-chart.ts";
import { ZONES } from "../twin/make-fleet.ts";
import type { TwinFigures } from "../twin/run-twin-bench.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readCount } from "./read-count.ts";

interface TwinOptions {
  readonly nodes?: string;
  readonly replicas?: string;
  readonly minutes?: string;
}

export const twinBench: Benchmark<TwinOptions> = {
  name: "twin",
  description: "measure a simulated loss of one zone of a large fleet",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--replicas <n>", "number of replicas (default: 50000)")
      .option("--minutes <n>", "simulated minutes after the loss (default: 10)");
  },
  run: runTwinBenchmark,
};

async function runTwinBenchmark(
  options: TwinOptions,
  { progress }: BenchFrame,
): Promise<BenchReport> {
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

const plotOf = ({ seconds, cpuSeconds }: TwinFigures): string =>
  barChart({
    title: "The loss of a zone, simulated",
    value: { label: "time", unit: "s", scale: "linear" },
    series: ["wall clock", "processor"],
    rows: [{ name: "twin", values: [seconds, cpuSeconds] }],
  });
