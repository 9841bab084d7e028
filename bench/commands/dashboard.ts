/**
 * `berth bench dashboard`: what the dashboard costs a browser, with many nodes and replicas that
 * change.
 */
import type { Command } from "commander";
import type { DashboardFigures, DashboardTask, MainThread } from "../dashboard/dashboard-task.ts";
import { REPLICAS_A_NODE } from "../place/place-world.ts";
import { barChart } from "../svg/bar-chart.ts";
import { UserError } from "../../src/shell/errors.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { checkRoom } from "./place-options.ts";
import { readCount } from "./read-count.ts";

interface DashboardOptions {
  readonly nodes?: string;
  readonly replicas?: string;
  readonly updates?: string;
  readonly seconds?: string;
  readonly loads?: string;
}

export const dashboardBench: Benchmark<DashboardOptions> = {
  name: "dashboard",
  description: "measure the dashboard in a real browser",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 10000)")
      .option("--replicas <n>", "number of bound replicas (default: 100000)")
      .option("--updates <n>", "updates per second (default: 60)")
      .option("--seconds <n>", "seconds per view (default: 10)")
      .option("--loads <n>", "number of loads of each view (default: 5)");
  },
  run: runDashboardBench,
};

async function runDashboardBench(
  options: DashboardOptions,
  frame: BenchFrame,
): Promise<BenchReport> {
  const task = taskOf(options);
  const figures = await measured(task, frame);
  const { small: _, ...shown } = task;
  return {
    store: "memory",
    figures: { ...figures, options: shown },
    table: tableOf(figures),
    notes: notesOf(task, figures),
    plot: () => plotOf(figures),
    isComplete: figures.updates.sent === task.updatesPerSecond * task.seconds,
  };
}

async function measured(task: DashboardTask, { progress }: BenchFrame): Promise<DashboardFigures> {
  // Loaded only here: it brings the schemas of the API along.
  const { runDashboard } = await import("../dashboard/run-dashboard.ts");
  const { NoBrowser } = await import("../dashboard/open-browser.ts");
  try {
    return await runDashboard(task, progress);
  } catch (error) {
    if (error instanceof NoBrowser) throw new UserError("no-browser", error.message);
    throw error;
  }
}

/** Enough to fill a screen, and little enough that reading it takes no time. */
const SMALL_NODES = 100;
const SMALL_REPLICAS = 1_000;

function taskOf(options: DashboardOptions): DashboardTask {
  const nodes = readCount("--nodes", options.nodes, 10_000);
  const replicas = readCount("--replicas", options.replicas, 100_000);
  const small = {
    nodes: Math.min(nodes, SMALL_NODES),
    replicas: Math.min(Math.ceil(replicas / 2), SMALL_REPLICAS),
  };
  checkRoom({ nodes, replicas }, REPLICAS_A_NODE);
  checkRoom(small, REPLICAS_A_NODE);
  return {
    nodes,
    replicas,
    small,
    updatesPerSecond: readCount("--updates", options.updates, 60),
    seconds: readCount("--seconds", options.seconds, 10),
    loads: readCount("--loads", options.loads, 5),
  };
}

function tableOf({ updates, map, table }: DashboardFigures): BenchReport["table"] {
  return [
    ["WHILE", "SECONDS", "BUSY", "LONGEST TASK MS", "TASKS OVER 50 MS", "FRAMES/S"],
    rowOf(`${updates.sent} updates`, updates),
    rowOf("in the map", map),
    rowOf(`in ${table.rows} rows`, table),
  ];
}

const rowOf = (what: string, thread: MainThread): readonly string[] => [
  what,
  `${thread.seconds}`,
  `${Math.round(thread.busy * 100)} %`,
  `${thread.longestTaskMs}`,
  `${thread.longTasks}`,
  `${thread.framesPerSecond}`,
];

/** A kilobyte as people who count downloads have it. */
const KB = 1_000;

function notesOf(
  { nodes, replicas, small }: DashboardTask,
  { firstView, firstViewFullMs, browser }: DashboardFigures,
): readonly string[] {
  const { bytes, requests, usableMs } = firstView;
  return [
    `The first view fetched ${Math.round(bytes / KB)} KB in ${requests} requests and could be used after ${usableMs} ms with ${small.nodes} nodes, after ${firstViewFullMs} ms with ${nodes} nodes and ${replicas} replicas.`,
    `Measured in ${browser}, without a window and without a graphics card.`,
  ];
}

const plotOf = ({ updates, map, table }: DashboardFigures): string =>
  barChart({
    title: "Longest task of the dashboard's main thread",
    value: { label: "longest task", unit: "ms", scale: "linear" },
    series: ["longest task"],
    rows: [
      { name: "updates", values: [updates.longestTaskMs] },
      { name: "in the map", values: [map.longestTaskMs] },
      { name: "in the table", values: [table.longestTaskMs] },
    ],
  });
