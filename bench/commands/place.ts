/**
 * `berth bench place`: how fast replicas are admitted, placed and durably bound, without agents.
 */
import type { Command } from "commander";
import { placeApart } from "../place/place-apart.ts";
import type { PlaceFigures, PlaceResult } from "../place/place-task.ts";
import { REPLICAS_A_NODE } from "../place/place-world.ts";
import { lineChart } from "../svg/line-chart.ts";
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

export const placeBench: Benchmark<PlaceOptions> = {
  name: "place",
  description: "measure placement and durable binds, without agents",
  addOptions(command: Command): void {
    command
      .option("--nodes <n>", "number of nodes (default: 5000)")
      .option("--replicas <n>", "number of replicas to bind (default: 50000)");
    addPlaceOptions(command);
  },
  run: (options, frame) =>
    runPlaceBench(options, frame, {
      nodes: readCount("--nodes", options.nodes, 5_000),
      replicas: readCount("--replicas", options.replicas, 50_000),
    }),
};

/** Shared with `million`, which is the same at another size. */
export async function runPlaceBench(
  options: PlaceOptions,
  { progress, folder }: BenchFrame,
  size: PlaceSize,
): Promise<BenchReport> {
  checkRoom(size, REPLICAS_A_NODE);
  await checkPolicy(options.policy);
  const task = placeTask(options, size, folder);
  const { figures, curve } = await placeApart(task, { ...partOptions(options), progress });
  const store = shownStore(task.store);
  const { nodes, replicas, each, policy, schedulers, leases, telemetry } = task;
  return {
    store,
    figures: {
      ...figures,
      options: {
        nodes,
        replicas,
        each,
        store,
        policy: policy ?? "default",
        schedulers,
        leases,
        telemetry,
      },
    },
    table: tableOf(size, figures),
    notes: notesOf(figures, leases),
    plot: () => plotOf(size, curve),
    isComplete: figures.bound === figures.wanted,
  };
}

function tableOf({ nodes }: PlaceSize, result: PlaceFigures): readonly (readonly string[])[] {
  const { bound, wanted, seconds, bindsPerSecond, p50Ms, p99Ms, rssMiB, cpuSeconds } = result;
  return [
    ["NODES", "BOUND", "SECONDS", "BINDS/S", "P50 MS", "P99 MS", "CPU S", "PEAK MIB", "CONFLICTS"],
    [
      String(nodes),
      bound === wanted ? String(bound) : `${bound} of ${wanted}`,
      ...[seconds, bindsPerSecond, p50Ms, p99Ms, cpuSeconds, rssMiB, result.conflicts].map(String),
    ],
  ];
}

function notesOf(result: PlaceFigures, leases: boolean): readonly string[] {
  const kept = leases
    ? `Leases were renewed ${result.leaseRenewals} times, as agents do.`
    : "Leases are not renewed and node-health is off: nodes stay ready.";
  const left = result.wanted - result.bound;
  return left === 0 ? [kept] : [kept, `${left} replicas were not bound before the timeout.`];
}

const plotOf = ({ nodes, replicas }: PlaceSize, curve: PlaceResult["curve"]): string =>
  lineChart({
    title: `${replicas} replicas bound on ${nodes} nodes`,
    x: { label: "time", unit: "s", scale: "linear" },
    y: { label: "replicas durably bound", unit: "", scale: "linear" },
    series: [{ name: "bound", points: curve.map(([ms, bound]) => [ms / 1_000, bound] as const) }],
  });
