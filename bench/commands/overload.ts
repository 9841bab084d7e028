/** `berth bench overload`: what others notice while one tenant offers more than the plane takes. */
import { type Command, Option } from "commander";
import {
  FLOOD_SHAPES,
  type FloodShape,
  type Noticed,
  type OverloadFigures,
  type OverloadTask,
} from "../overload/overload-task.ts";
import { barChart } from "../svg/bar-chart.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readStore, shownStore } from "./place-options.ts";
import { readCount } from "./read-count.ts";

interface OverloadOptions {
  readonly store?: string;
  readonly nodes?: string;
  readonly shape?: readonly FloodShape[];
  readonly times?: string;
  readonly seconds?: string;
  readonly listed?: string;
  readonly connections?: string;
  readonly profile?: string;
}

export const overloadBench: Benchmark<OverloadOptions> = {
  name: "overload",
  description: "measure what others notice while one tenant floods the plane",
  addOptions(command: Command): void {
    command
      .option("--store <where>", "store of the log: sqlite, memory or etcd (default: sqlite)")
      .option("--nodes <n>", "number of nodes that renew leases (default: 100)")
      .addOption(
        new Option("--shape <shape...>", "kinds of load (default: all)").choices(FLOOD_SHAPES),
      )
      .option("--times <n>", "load offered, as a multiple of what the plane takes (default: 4)")
      .option("--seconds <n>", "length of each load (default: 10)")
      .option("--listed <n>", "workloads of the flooding tenant's lists (default: 2000)")
      .option("--connections <n>", "connections of the flood (default: 512)")
      .option("--profile <dir>", "write a CPU profile of the plane to a directory");
  },
  run: runOverloadBench,
};

async function runOverloadBench(options: OverloadOptions, frame: BenchFrame): Promise<BenchReport> {
  const task: OverloadTask = {
    store: readStore(options.store),
    folder: frame.folder,
    nodes: readCount("--nodes", options.nodes, 100),
    shapes: options.shape ?? FLOOD_SHAPES,
    times: readCount("--times", options.times, 4),
    seconds: readCount("--seconds", options.seconds, 10),
    listed: readCount("--listed", options.listed, 2_000),
    connections: readCount("--connections", options.connections, 512),
    profile: options.profile,
  };
  const { runOverload } = await import("../overload/run-overload.ts");
  const figures = await runOverload(task, frame.progress);
  const lost = figures.shapes.reduce((sum, each) => sum + each.lost, 0);
  return {
    store: shownStore(task.store),
    figures: { ...figures, options: { ...task, folder: undefined } },
    table: tableOf(figures),
    notes: [
      `Leases were renewed ${figures.leaseRenewals} times; ${figures.leaseFailures} renewals failed.`,
      "TAKES is what the plane answers of this load alone. HELD BACK was not sent: every connection of the flood waited for an answer.",
    ],
    plot: () => plotOf(figures),
    isComplete: lost === 0 && figures.leaseFailures === 0,
  };
}

const noticedCells = (noticed: Noticed): readonly string[] => [
  String(noticed.writes.p50Ms),
  String(noticed.writes.p99Ms),
  String(noticed.reads.p50Ms),
  String(noticed.reads.p99Ms),
  String(noticed.leaseLateMs),
  String(noticed.failed),
];

const NONE = "-";

function tableOf({ calm, shapes }: OverloadFigures): BenchReport["table"] {
  return [
    [
      "LOAD",
      "TAKES/S",
      "OFFERED/S",
      "ANSWERED/S",
      "429/S",
      "HELD BACK/S",
      "WRITE P50",
      "WRITE P99",
      "READ P50",
      "READ P99",
      "LEASE LATE",
      "FAILED",
      "LOST",
      "NORMAL AFTER",
    ],
    ["calm", NONE, NONE, NONE, NONE, NONE, ...noticedCells(calm), NONE, NONE],
    ...shapes.map((figures) => [
      figures.shape,
      String(figures.takenPerSecond),
      String(figures.offeredPerSecond),
      String(figures.answeredPerSecond),
      String(figures.refusedPerSecond),
      String(figures.heldBackPerSecond),
      ...noticedCells(figures),
      String(figures.lost),
      String(figures.normalAfterMs),
    ]),
  ];
}

function plotOf({ calm, shapes }: OverloadFigures): string {
  return barChart({
    title: "How long another tenant's requests take, p99",
    value: { label: "time", unit: "ms", scale: "log" },
    series: ["writes", "reads"],
    rows: [{ shape: "calm", ...calm }, ...shapes].map(({ shape, writes, reads }) => ({
      name: shape,
      values: [writes.p99Ms, reads.p99Ms],
    })),
  });
}
