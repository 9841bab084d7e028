/** What the benchmarks that place in one process (`place`, `million`, `growth`) have in common. */
import type { Command } from "commander";
import type { PartOptions } from "../part/part-process.ts";
import type { PlaceTask } from "../place/place-task.ts";
import { UserError } from "../../src/shell/errors.ts";
import { whereLogIs } from "../../src/serve/open-store.ts";
import { readCount, readOptionalCount } from "./read-count.ts";

export interface PlaceOptions {
  readonly nodes?: string;
  readonly replicas?: string;
  readonly each?: string;
  readonly store?: string;
  readonly policy?: string;
  readonly schedulers?: string;
  readonly leases?: boolean;
  readonly telemetry?: boolean;
  readonly patience?: string;
  readonly heap?: string;
  readonly profile?: string;
}

export function addPlaceOptions(command: Command): void {
  command
    .option("--each <n>", "replicas per workload (default: 500)")
    .option(
      "--store <where>",
      "store of the log: sqlite, memory, etcd (three local members), or etcd://HOST:PORT,… (default: sqlite)",
    )
    .option("--policy <name>", "scoring policy of the workloads (default: the plane's)")
    .option("--schedulers <n>", "number of parallel schedulers (default: 1)")
    .option(
      "--leases",
      "renew every node's lease, as agents do (default: no renewals, and node-health off)",
    )
    .option("--telemetry", "collect metrics and traces, as a served plane does")
    .option("--patience <seconds>", "give up after this long without a bind (default: 60)")
    .option("--heap <mib>", "heap limit of the plane (default: Node's own)")
    .option("--profile <dir>", "write a CPU profile of the plane to a directory");
}

export interface PlaceSize {
  readonly nodes: number;
  readonly replicas: number;
}

export function placeTask(options: PlaceOptions, size: PlaceSize, folder: string): PlaceTask {
  return {
    ...size,
    each: readCount("--each", options.each, 500),
    store: readStore(options.store),
    folder,
    policy: options.policy,
    schedulers: readCount("--schedulers", options.schedulers, 1),
    leases: options.leases === true,
    telemetry: options.telemetry === true,
    patienceMs: readCount("--patience", options.patience, 60) * 1_000,
  };
}

/** A plane is not started for a slip of the hand. */
export function readStore(text = "sqlite"): string {
  if (text !== "etcd") whereLogIs(text, "");
  return text;
}

/** For people, and without a password: reports are published. */
export const shownStore = (store: string): string =>
  store.startsWith("etcd:") || store.startsWith("etcds:") ? whereLogIs(store, "") : store;

export const partOptions = ({ heap, profile }: PlaceOptions): PartOptions => ({
  heapMiB: readOptionalCount("--heap", heap),
  profile,
});

/** Before anything is started: a policy that the plane does not know is a slip of the hand. */
export async function checkPolicy(policy: string | undefined): Promise<void> {
  if (policy === undefined) return;
  const { NotTaken, putOf } = await import("../place/put-of.ts");
  const { placeWorkloads } = await import("../place/place-world.ts");
  try {
    for (const manifest of placeWorkloads({ replicas: 1, each: 1, policy })) putOf(manifest);
  } catch (error) {
    if (error instanceof NotTaken) throw new UserError("request-refused", error.message);
    throw error;
  }
}

/** `perNode`: how many replicas of the benchmark's sizes fit on one of its nodes. */
export function checkRoom({ nodes, replicas }: PlaceSize, perNode: number): void {
  if (replicas <= nodes * perNode) return;
  throw new UserError(
    "bad-usage",
    `${replicas} replicas do not fit on ${nodes} nodes: at most ${perNode} go on each. Ask for fewer replicas or for more nodes.`,
  );
}
