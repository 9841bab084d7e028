/** What the benchmarks of the whole path (`path`, `perf`) have in common. */
import { type Command, Option } from "commander";
import type { PathTask } from "../../bench/path/path-task.ts";
import { readCount } from "./read-count.ts";

export interface PathOptions {
  readonly store?: "sqlite" | "memory";
  readonly schedulers?: string;
  readonly record?: boolean;
  readonly clients?: string;
  readonly connections?: string;
  readonly patience?: string;
  readonly profile?: string;
}

export function addPathOptions(command: Command): void {
  command
    .addOption(
      new Option("--store <kind>", "where the log is kept")
        .choices(["sqlite", "memory"])
        .default("sqlite"),
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
  store: options.store ?? "sqlite",
  schedulers: readCount("--schedulers", options.schedulers, 1),
  records: options.record === true,
  clients: readCount("--clients", options.clients, 1),
  connections: readCount("--connections", options.connections, 64),
  patienceMs: readCount("--patience", options.patience, 30) * 1_000,
  profile: options.profile,
});
