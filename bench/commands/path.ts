/**
 * `berth bench path`: from a client's create until a watcher is told of the bind, over HTTP and the
 * disk.
 */
import type { Command } from "commander";
import type { Group, PathFigures, PathOutcome, PathTask } from "../path/path-task.ts";
import { lineChart } from "../svg/line-chart.ts";
import { UserError } from "../../src/shell/errors.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { addPathOptions, type PathOptions, surroundingsOf } from "./path-options.ts";
import { checkRoom, shownStore } from "./place-options.ts";
import { readCount, readOptionalCount } from "./read-count.ts";

interface PathBenchOptions extends PathOptions {
  readonly nodes?: string;
  readonly workloads?: string;
  readonly each?: string;
  readonly spread?: boolean;
  readonly preempt?: boolean;
  readonly rate?: string;
}

export const pathBench: Benchmark<PathBenchOptions> = {
  name: "path",
  description: "measure the durable path: create, commit, bind, watch",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--workloads <n>", "number of workloads to create (default: 5000)")
      .option("--each <n>", "replicas per workload (default: 1)")
      .option("--spread", "spread the replicas of each workload over three zones")
      .option(
        "--preempt",
        "fill the nodes with low-priority work first, so that each replica preempts",
      )
      .option("--rate <n>", "workloads created per second (default: no limit)");
    addPathOptions(command);
  },
  run: runPathBench,
};

const TENANT = "bench";
const ZONES = ["zone-1", "zone-2", "zone-3"];

/** As Kubernetes' own scheduler benchmarks have it: four processors and 32 GiB a node. */
const NODE = { cpu: "4", memory: "32Gi" };
const SMALL = { cpu: "100m", memory: "128Mi" };
/** Four of them leave no room on a node for one of the next, which takes the place of three. */
const FILLING = { cpu: "900m", memory: "500Mi" };
const GREEDY = { cpu: "3", memory: "500Mi" };
const FILLING_A_NODE = 4;
const SMALL_A_NODE = 40;

async function runPathBench(options: PathBenchOptions, frame: BenchFrame): Promise<BenchReport> {
  const task = taskOf(options, frame.folder);
  // Loaded only here: it brings the schemas of the API along.
  const { runPath } = await import("../path/run-path.ts");
  const outcome = await runPath(task, frame.progress);
  if (outcome.kind === "refused") throw new UserError("request-refused", outcome.message);
  if (outcome.kind === "stuck") throw new UserError("timed-out", outcome.message);
  const { figures, curve } = outcome;
  return {
    store: shownStore(task.store),
    figures: { ...figures, options: shownOptions(options, task) },
    table: tableOf(task, figures),
    notes: notesOf(figures, options.preempt === true),
    plot: () => plotOf(task, curve),
    isComplete: figures.bound === figures.wanted,
  };
}

function taskOf(options: PathBenchOptions, folder: string): PathTask {
  const nodes = readCount("--nodes", options.nodes, 5_000);
  const workloads = readCount("--workloads", options.workloads, 5_000);
  const each = readCount("--each", options.each, 1);
  const preempts = options.preempt === true;
  checkRoom({ nodes, replicas: workloads * each }, preempts ? 1 : SMALL_A_NODE);
  const placement =
    options.spread === true ? { placement: { spread: [{ by: "zone", maxSkew: 1 }] } } : {};
  const of = preempts
    ? { resources: GREEDY, more: { priorityClass: "urgent", ...placement } }
    : { resources: SMALL, more: placement };
  return {
    ...surroundingsOf(options),
    folder,
    tenants: [TENANT],
    priorityClasses: preempts ? PRIORITIES : [],
    fleet: { nodes, zones: ZONES, size: NODE, answersStops: preempts },
    before: preempts ? [fillingOf(nodes)] : [],
    measured: { name: "measured", workloads, each, of: { tenant: TENANT, ...of } },
    rate: readOptionalCount("--rate", options.rate),
  };
}

const PRIORITIES = [
  { name: "idle", value: 1 },
  { name: "urgent", value: 1_000 },
] as const;

const fillingOf = (nodes: number): Group => ({
  name: "filling",
  workloads: 1,
  each: nodes * FILLING_A_NODE,
  of: { tenant: TENANT, resources: FILLING, more: { priorityClass: "idle" } },
});

function shownOptions(
  options: PathBenchOptions,
  task: PathTask,
): Readonly<Record<string, unknown>> {
  const { fleet, measured, rate, store, schedulers, records, clients, connections } = task;
  return {
    nodes: fleet.nodes,
    workloads: measured.workloads,
    each: measured.each,
    spread: options.spread === true,
    preempt: options.preempt === true,
    rate: rate ?? null,
    store: shownStore(store),
    schedulers,
    record: records,
    clients,
    connections,
  };
}

function tableOf({ fleet, measured }: PathTask, figures: PathFigures): BenchReport["table"] {
  const { bound, wanted, seconds, boundPerSecond, cpuSeconds, rssMiB } = figures;
  return [
    ["NODES", "WORKLOADS", "BOUND", "SECONDS", "BOUND/S", "P50 MS", "P99 MS", "CPU S", "PEAK MIB"],
    [
      String(fleet.nodes),
      `${measured.workloads} × ${measured.each}`,
      bound === wanted ? String(bound) : `${bound} of ${wanted}`,
      String(seconds),
      String(boundPerSecond),
      String(figures.createToBoundP50Ms),
      String(figures.createToBoundP99Ms),
      String(cpuSeconds ?? "unknown"),
      String(rssMiB ?? "unknown"),
    ],
  ];
}

/** Also said of scenarios. */
export const SILENT =
  "Invalid run: nodes became silent because their leases were renewed late. The machine was too busy to measure.";

function notesOf(figures: PathFigures, preempts: boolean): readonly string[] {
  const { bound, wanted, stopped, leaseRenewals, leaseFailures, watchRelists, nodesFellSilent } =
    figures;
  return [
    `Leases were renewed ${leaseRenewals} times, as agents do${leaseFailures === 0 ? "" : `; ${leaseFailures} renewals failed`}.`,
    ...(nodesFellSilent ? [SILENT] : []),
    ...(watchRelists === 0
      ? []
      : [`The watcher fell behind and listed again ${watchRelists} times.`]),
    ...(preempts && stopped === 0
      ? ["No replicas were preempted: this build does not support it."]
      : []),
    ...(preempts && stopped > 0 ? [`${stopped} replicas were preempted.`] : []),
    ...(bound === wanted ? [] : [`${wanted - bound} replicas were not bound before the timeout.`]),
  ];
}

function plotOf(
  { fleet, measured }: PathTask,
  curve: Extract<PathOutcome, { kind: "measured" }>["curve"],
): string {
  return lineChart({
    title: `${measured.workloads} × ${measured.each} replicas, created over HTTP, on ${fleet.nodes} nodes`,
    x: { label: "time", unit: "s", scale: "linear" },
    y: { label: "replicas the watcher was told of", unit: "", scale: "linear" },
    series: [{ name: "bound", points: curve.map(([ms, bound]) => [ms / 1_000, bound] as const) }],
  });
}
