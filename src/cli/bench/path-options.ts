/** What the benchmarks of the whole path (`path`, `perf`) have in common. */
import type { Command } from "commander";
import type { PathTask } from "../../bench/path/path-task.ts";
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
      "where the log is kept: sqlite, memory, etcd for three members on this machine, or etcd://HOST:PORT,… (default: sqlite)",
    )
    .option("--schedulers <n>", "how many schedulers place side by side (default: 1)")
    .option("--record", "let the plane keep a recording, too")
    .option("--clients <n>", "processes that create (default: 1)")
    .option("--connections <n>", "connections of each of them (default: 64)")
    .option("--patience <seconds>", "give up when nothing was bound for so long (default: 30)")
    .option("--profile <dir>", "leave a processor profile of the plane in a folder");
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
