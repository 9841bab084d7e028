/**
 * `berth bench growth`: the cost of one bind as nodes or replicas grow, each size in a process of
 * its own.
 */
import { join } from "node:path";
import { mkdirSync, rmSync } from "node:fs";
import { type Command, Option } from "commander";
import { rounded } from "../measure/latencies.ts";
import { placeApart } from "../place/place-apart.ts";
import type { PlaceFigures } from "../place/place-task.ts";
import { REPLICAS_A_NODE } from "../place/place-world.ts";
import { lineChart } from "../svg/line-chart.ts";
import { UserError } from "../../src/shell/errors.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import {
  addPlaceOptions,
  checkPolicy,
  checkRoom,
  partOptions,
  type PlaceOptions,
  type PlaceSize,
  placeTask,
  shownStore,
} from "./place-options.ts";
import { readCount } from "./read-count.ts";

interface GrowthOptions extends PlaceOptions {
  readonly by: "nodes" | "replicas";
  readonly points?: string;
}

/** Evenly spread on a logarithmic axis, from a small cluster to a very large one. */
const POINTS = {
  nodes: [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000],
  replicas: [10_000, 30_000, 100_000, 300_000, 1_000_000],
} as const;

/** The fixed number while the other grows. */
const FIXED = { nodes: 5_000, replicas: 50_000 } as const;

interface Row extends PlaceSize, PlaceFigures {
  readonly microsPerBind: number;
  readonly cpuMicrosPerBind: number;
}

export const growthBench: Benchmark<GrowthOptions> = {
  name: "growth",
  description: "measure the cost of one bind as nodes or replicas grow",
  addOptions(command: Command): void {
    command
      .addOption(
        new Option("--by <what>", "dimension to grow")
          .choices(["nodes", "replicas"])
          .makeOptionMandatory(),
      )
      .option(
        "--points <list>",
        "sizes, separated by commas (default: 500 … 50000, 10000 … 1000000)",
      )
      .option("--nodes <n>", `number of nodes while replicas grow (default: ${FIXED.nodes})`)
      .option(
        "--replicas <n>",
        `number of bound replicas while nodes grow (default: ${FIXED.replicas})`,
      );
    addPlaceOptions(command);
  },
  run: runGrowth,
};

async function runGrowth(options: GrowthOptions, frame: BenchFrame): Promise<BenchReport> {
  const sizes = readSizes(options);
  for (const size of sizes) checkRoom(size, REPLICAS_A_NODE);
  await checkPolicy(options.policy);
  const rows: Row[] = [];
  for (const size of sizes) rows.push(await measureOne(options, size, frame));
  const { by } = options;
  const store = shownStore(options.store ?? "sqlite");
  return {
    store,
    figures: { by, points: rows },
    table: [
      ["NODES", "REPLICAS", "BOUND", "µS/BIND", "CPU µS/BIND", "PEAK MIB"],
      ...rows.map(({ nodes, replicas, bound, microsPerBind, cpuMicrosPerBind, rssMiB }) =>
        [nodes, replicas, bound, microsPerBind, cpuMicrosPerBind, rssMiB].map(String),
      ),
    ],
    notes: [],
    plot: () => plotOf(by, rows, store),
    isComplete: rows.every(({ bound, replicas }) => bound === replicas),
  };
}

function readSizes({ by, points, nodes, replicas }: GrowthOptions): readonly PlaceSize[] {
  const grown =
    points === undefined
      ? POINTS[by]
      : points.split(",").map((text) => readCount("--points", text.trim(), 1));
  const fixed = {
    nodes: readCount("--nodes", nodes, FIXED.nodes),
    replicas: readCount("--replicas", replicas, FIXED.replicas),
  };
  if (grown.length < 2) {
    throw new UserError("bad-usage", "--points: found one size, expected several to compare.");
  }
  return grown.map((size) => ({ ...fixed, [by]: size }));
}

async function measureOne(
  options: GrowthOptions,
  size: PlaceSize,
  { progress, folder }: BenchFrame,
): Promise<Row> {
  const own = join(folder, `${size.nodes}-${size.replicas}`);
  mkdirSync(own);
  const { figures } = await placeApart(placeTask(options, size, own), {
    ...partOptions(options),
    progress: (done, total, label) =>
      progress(done, total, `${label} (${size.nodes} nodes, ${size.replicas} replicas)`),
  });
  // The log of a million replicas would take up disk space while the next one is written.
  rmSync(own, { recursive: true });
  const perBind = (seconds: number): number =>
    rounded((seconds * 1e6) / Math.max(figures.bound, 1));
  return {
    ...size,
    ...figures,
    microsPerBind: perBind(figures.seconds),
    cpuMicrosPerBind: perBind(figures.cpuSeconds),
  };
}

function plotOf(by: "nodes" | "replicas", rows: readonly Row[], store: string): string {
  const line = (name: string, of: (row: Row) => number) => ({
    name,
    points: rows.map((row) => [row[by], of(row)] as const),
  });
  return lineChart({
    title: `Cost of one bind by number of ${by} (${store})`,
    x: { label: by, unit: "", scale: "log" },
    y: { label: "cost of one bind", unit: "µs", scale: "linear" },
    series: [
      line("elapsed", ({ microsPerBind }) => microsPerBind),
      line("processor time", ({ cpuMicrosPerBind }) => cpuMicrosPerBind),
    ],
  });
}
