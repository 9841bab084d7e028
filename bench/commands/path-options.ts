/** What the benchmarks of the whole path (`path`, `perf`) have in common. */
import type { Command } from "commander";
import type { PathTask } from "../path/path-task.ts";
import { readStore } from "./place-options.ts";
import { readCount } from "./read-count.ts";

export interface PathOptions {
  readonly store?: string;
  readonly schedulers?: string;
  readonly record?: boolean;
  readonly clients?: string;
  readonly connections?: string;
  readonly patience?: string;
  readonly profile?: string;
}

export function addPathOptions(command: Command): void {
  command
    .option(
      "--store <where>",
      "store of the log: sqlite, memory, etcd (three local members), or etcd://HOST:PORT,… (default: sqlite)",
    )
    .option("--schedulers <n>", "number of parallel schedulers (default: 1)")
    .option("--record", "also write a recording")
    .option("--clients <n>", "number of client processes (default: 1)")
    .option("--connections <n>", "connections per client (default: 64)")
    .option("--patience <seconds>", "give up after this long without a bind (default: 30)")
    .option("--profile <dir>", "write a CPU profile of the plane to a directory");
}

export type Surroundings = Pick<
  PathTask,
  "store" | "schedulers" | "records" | "clients" | "connections" | "patienceMs" | "profile"
>;

export const surroundingsOf = (options: PathOptions): Surroundings => ({
  store: readStore(options.store),
  schedulers: readCount("--schedulers", options.schedulers, 1),
  records: options.record === true,
  clients: readCount("--clients", options.clients, 1),
  connections: readCount("--connections", options.connections, 64),
  patienceMs: readCount("--patience", options.patience, 30) * 1_000,
  profile: options.profile,
});
