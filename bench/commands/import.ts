/** `berth bench import`: how long the dump of a large Kubernetes cluster takes to import. */
import type { Command } from "commander";
import type { ImportFigures } from "../import/run-import-bench.ts";
import { barChart } from "../svg/bar-chart.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readCount } from "./read-count.ts";

interface ImportOptions {
  readonly pods?: string;
  readonly podsPerNode?: string;
}

export const importBench: Benchmark<ImportOptions> = {
  name: "import",
  description: "measure an import of the dump of a large Kubernetes cluster",
  addOptions(command: Command): void {
    command
      .option("--pods <n>", "number of pods (default: 50000)")
      .option("--pods-per-node <n>", "pods on each node (default: 40)");
  },
  run: runImportBenchmark,
};

async function runImportBenchmark(options: ImportOptions, frame: BenchFrame): Promise<BenchReport> {
  const task = {
    pods: readCount("--pods", options.pods, 50_000),
    podsPerNode: readCount("--pods-per-node", options.podsPerNode, 40),
  };
  const { runImportBench } = await import("../import/run-import-bench.ts");
  frame.progress(0, 1, `${task.pods} pods`);
  const figures = runImportBench(task, frame.folder);
  const { nodes, pods, dumpMiB, seconds, cpuSeconds, peakRssMiB, differing } = figures;
  return {
    store: "none",
    figures: { ...figures, options: task },
    table: [
      ["NODES", "PODS", "DUMP MIB", "SECONDS", "CPU SECONDS", "PEAK MIB"],
      [nodes, pods, dumpMiB, seconds, cpuSeconds, peakRssMiB].map(String),
    ],
    notes: [
      "A dump of Deployments was read from one file and imported, the fidelity check and the text of the fleet included.",
    ],
    plot: () => plotOf(figures),
    isComplete: pods === task.pods && differing === 0,
  };
}

const plotOf = ({ seconds, cpuSeconds, pods }: ImportFigures): string =>
  barChart({
    title: `The import of ${pods} pods`,
    value: { label: "time", unit: "s", scale: "linear" },
    series: ["wall clock", "processor"],
    rows: [{ name: "import", values: [seconds, cpuSeconds] }],
  });
