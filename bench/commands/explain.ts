/** `berth bench explain`: how long explanations take on a plane with many nodes and replicas. */
import type { Command } from "commander";
import type { ExplainFigures, ExplainTask } from "../explain/run-explain.ts";
import { REPLICAS_A_NODE } from "../place/place-world.ts";
import { barChart } from "../svg/bar-chart.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { checkRoom } from "./place-options.ts";
import { readCount } from "./read-count.ts";

interface ExplainOptions {
  readonly nodes?: string;
  readonly replicas?: string;
  readonly questions?: string;
}

export const explainBench: Benchmark<ExplainOptions> = {
  name: "explain",
  description: "measure the latency of explanations",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--replicas <n>", "number of bound replicas (default: 100000)")
      .option("--questions <n>", "number of requests of each type (default: 100)");
  },
  run: runExplainBench,
};

async function runExplainBench(
  options: ExplainOptions,
  { progress }: BenchFrame,
): Promise<BenchReport> {
  const task: ExplainTask = {
    nodes: readCount("--nodes", options.nodes, 5_000),
    replicas: readCount("--replicas", options.replicas, 100_000),
    questions: readCount("--questions", options.questions, 100),
  };
  checkRoom(task, REPLICAS_A_NODE);
  // Loaded only here: it brings the schemas of the API along.
  const { runExplain } = await import("../explain/run-explain.ts");
  const figures = await runExplain(task, progress);
  return {
    store: "memory",
    figures: { ...figures, options: task },
    table: [
      ["EXPLAINED", "P50 MS", "P99 MS", "MAX MS"],
      ...Object.entries(figures).map(([name, { p50Ms, p99Ms, maxMs }]) => [
        name,
        `${p50Ms}`,
        `${p99Ms}`,
        `${maxMs}`,
      ]),
    ],
    notes: [
      `Each was asked ${task.questions} times over HTTP, one after the other, with ${task.nodes} nodes and ${task.replicas} replicas. The workload has all of them.`,
    ],
    plot: () => plotOf(figures),
    isComplete: true,
  };
}

const plotOf = (figures: ExplainFigures): string =>
  barChart({
    title: "How long explanations take",
    value: { label: "time", unit: "ms", scale: "log" },
    series: ["p50", "p99"],
    rows: Object.entries(figures).map(([name, { p50Ms, p99Ms }]) => ({
      name,
      values: [p50Ms, p99Ms],
    })),
  });
