/**
 * `berth bench cluster`: several planes on one log in etcd: how soon another leads, and how far
 * followers are behind.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import {
  ClusterStuck,
  type ClusterTask,
  type FailoverTask,
  type LagTask,
} from "../cluster/cluster-task.ts";
import { REPLICAS_A_NODE } from "../place/place-world.ts";
import { UserError } from "../../src/shell/errors.ts";
import { readAddress } from "../../src/serve/open-store.ts";
import { readLease } from "../../src/serve/read-lease.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { type ClusterOutcome, clusterReport } from "./cluster-report.ts";
import { checkRoom } from "./place-options.ts";
import { readCount, readOptionalCount } from "./read-count.ts";

interface ClusterOptions {
  readonly only?: "failover" | "lag";
  readonly store?: string;
  readonly lease?: string;
  readonly patience?: string;
  readonly profile?: string;
  readonly rounds?: string;
  readonly objects?: string;
  readonly writeRate?: string;
  readonly nodes?: string;
  readonly replicas?: string;
  readonly each?: string;
  readonly rate?: string;
}

export const clusterBench: Benchmark<ClusterOptions> = {
  name: "cluster",
  description: "measure failover and follower lag of three planes on etcd",
  addOptions(command: Command): void {
    command
      .addOption(
        new Option("--only <what>", "run one of the measurements (default: both)").choices([
          "failover",
          "lag",
        ]),
      )
      .option(
        "--store <where>",
        "etcd (three local members), or etcd://HOST:PORT,… (default: etcd)",
      )
      .option(
        "--lease <seconds>",
        "leader lease: how long a lost leader blocks a failover (default: 5)",
      )
      .option("--patience <seconds>", "maximum time of a step (default: 60)")
      .option("--profile <dir>", "write CPU profiles of the planes to a directory")
      .option(
        "--rounds <n>",
        "failover: how many times to kill, and to stop, the leader (default: 5)",
      )
      .option("--objects <n>", "failover: replicas bound before the run (default: 5000)")
      .option("--write-rate <n>", "failover: writes per second over all planes (default: 50)")
      .option("--nodes <n>", "lag: number of nodes (default: 5000)")
      .option("--replicas <n>", "lag: number of bound replicas (default: 50000)")
      .option("--each <n>", "lag: replicas per workload (default: 500)")
      .option("--rate <n>", "lag: replicas per second (default: no limit)");
  },
  run: runClusterBench,
};

async function runClusterBench(options: ClusterOptions, frame: BenchFrame): Promise<BenchReport> {
  const { only } = options;
  const failover = failoverTask(options, frame.folder);
  const lag = lagTask(options, frame.folder);
  // Loaded only here: they bring the schemas of the API along.
  const { runFailover } = await import("../cluster/run-failover.ts");
  const { runLag } = await import("../cluster/run-lag.ts");
  try {
    const outcome: ClusterOutcome = {
      ...(only === "lag" ? {} : { failover: await runFailover(opened(failover), frame.progress) }),
      ...(only === "failover" ? {} : { lag: await runLag(opened(lag), frame.progress) }),
    };
    return clusterReport(outcome, { failover, lag });
  } catch (error) {
    if (error instanceof ClusterStuck) throw new UserError("timed-out", error.message);
    throw error;
  }
}

function opened<Task extends ClusterTask>(task: Task): Task {
  mkdirSync(task.folder);
  return task;
}

function surroundings(options: ClusterOptions): Omit<ClusterTask, "folder"> {
  const { store = "etcd" } = options;
  if (store !== "etcd") readAddress(store);
  return {
    store,
    leaseSeconds: readLease(options.lease ?? "5"),
    patienceMs: readCount("--patience", options.patience, 60) * 1_000,
    profile: options.profile,
  };
}

const failoverTask = (options: ClusterOptions, folder: string): FailoverTask => ({
  ...surroundings(options),
  folder: join(folder, "failover"),
  rounds: readCount("--rounds", options.rounds, 5),
  objects: readCount("--objects", options.objects, 5_000),
  writeRate: readCount("--write-rate", options.writeRate, 50),
});

function lagTask(options: ClusterOptions, folder: string): LagTask {
  const nodes = readCount("--nodes", options.nodes, 5_000);
  const replicas = readCount("--replicas", options.replicas, 50_000);
  checkRoom({ nodes, replicas }, REPLICAS_A_NODE);
  return {
    ...surroundings(options),
    folder: join(folder, "lag"),
    nodes,
    replicas,
    each: readCount("--each", options.each, 500),
    rate: readOptionalCount("--rate", options.rate),
  };
}
