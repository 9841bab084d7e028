/** `berth bench overload`: what others notice while one tenant offers more than the plane takes. */
import { type Command, Option } from "commander";
import {
  FLOOD_SHAPES,
  type FloodShape,
  type Noticed,
  type OverloadFigures,
  type OverloadTask,
  type ShapeFigures,
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
  const { mostSeconds, runOverload } = await import("../overload/run-overload.ts");
  frame.say(`Takes at most ${mostSeconds(task)} s; usually half of that.`);
  const figures = await runOverload(task, frame.progress, frame.say);
  const lost = figures.shapes.reduce((sum, each) => sum + each.lost, 0);
  return {
    store: shownStore(task.store),
    figures: { ...figures, options: { ...task, folder: undefined } },
    table: tableOf(figures),
    notes: [
      `Leases were renewed ${figures.leaseRenewals} times; ${figures.leaseFailures} renewals failed.`,
      `Aims: p99 less than ${AIMS.timesCalm} times that in calm, reads p99 at most ${AIMS.readP99Ms} ms, leases at most ${AIMS.leaseLateMs} ms late, nothing lost, normal in ${AIMS.normalAfterMs / 1_000} s. ${aimsText(figures)}`,
      "TAKES is what the plane answers of this load alone. HELD BACK was not sent: every connection of the flood waited for an answer.",
    ],
    plot: () => plotOf(figures),
    isComplete: lost === 0 && figures.leaseFailures === 0,
  };
}

const noticedCells = (noticed: Noticed, timesCalm: string): readonly string[] => [
  String(noticed.writes.p50Ms),
  String(noticed.writes.p99Ms),
  String(noticed.reads.p50Ms),
  String(noticed.reads.p99Ms),
  timesCalm,
  String(noticed.leaseLateMs),
  String(noticed.failed),
];

const NONE = "-";

const AIMS = { timesCalm: 2, readP99Ms: 500, leaseLateMs: 1_000, normalAfterMs: 5_000 };

function aimsText({ shapes }: OverloadFigures): string {
  const missed = shapes.flatMap((each) => {
    const of = [
      ...(each.timesCalm < AIMS.timesCalm ? [] : [`p99 ${each.timesCalm} times`]),
      ...(each.reads.p99Ms <= AIMS.readP99Ms ? [] : [`reads p99 ${each.reads.p99Ms} ms`]),
      ...(each.leaseLateMs <= AIMS.leaseLateMs ? [] : [`a lease ${each.leaseLateMs} ms late`]),
      ...(each.lost === 0 ? [] : [`${each.lost} lost`]),
      ...(isNormalAgain(each) ? [] : [`normal after ${normalText(each)} ms`]),
    ];
    return of.length === 0 ? [] : [`${each.shape} (${of.join(", ")})`];
  });
  return missed.length === 0 ? "All loads meet them." : `Missed by: ${missed.join("; ")}.`;
}

const isNormalAgain = ({ normalAfterMs }: ShapeFigures): boolean =>
  normalAfterMs !== null && normalAfterMs <= AIMS.normalAfterMs;

const normalText = ({ normalAfterMs }: ShapeFigures): string =>
  normalAfterMs === null ? "never" : String(normalAfterMs);

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
      "TIMES CALM",
      "LEASE LATE",
      "FAILED",
      "LOST",
      "NORMAL AFTER",
    ],
    ["calm", NONE, NONE, NONE, NONE, NONE, ...noticedCells(calm, NONE), NONE, NONE],
    ...shapes.map((figures) => [
      figures.shape,
      String(figures.takenPerSecond),
      String(figures.offeredPerSecond),
      String(figures.answeredPerSecond),
      String(figures.refusedPerSecond),
      String(figures.heldBackPerSecond),
      ...noticedCells(figures, String(figures.timesCalm)),
      String(figures.lost),
      normalText(figures),
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
