/**
 * `berth logs workload/NAME`: the logs of all replicas of a workload. Followed, it also reads the
 * processes that start later, and goes on when a replica ends or moves to another node.
 */
import { ownCommand } from "../text/own-command.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { type ShownList, type ShownObject, statusText, textOf } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import { mirror, type Mirrored } from "../client/mirror.ts";
import { Refusal } from "../client/refusal.ts";
import { isPassing } from "../client/watch-events.ts";
import { type Located, objectPath } from "../client/resources.ts";
import type { Terminal } from "../main.ts";
import { PrefixedLines } from "./prefixed-lines.ts";

export interface WorkloadLogsOf {
  readonly workload: Located;
  /** Of each replica: which lines of which process, and whether with times. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly warn: (warning: string) => void;
  readonly signal: AbortSignal;
}

/** A process that has just been ordered has no log for a moment. */
const TRY_AGAIN_MS = 500;
const WITH_PROCESS: ReadonlySet<string> = new Set(["starting", "serving"]);
const PASSING: ReadonlySet<number> = new Set([404, 429, 504]);

export async function workloadLogs(
  client: ApiClient,
  of: WorkloadLogsOf,
  terminal: Terminal,
): Promise<void> {
  const lines = new PrefixedLines((text) => terminal.out(text), {
    hasColour: terminal.hasColour === true,
  });
  const { namespace, name } = of.workload;
  // Says so where there is none: a watch would wait for it.
  await client.get(objectPath(of.workload));
  const path = `/apis/berth.dev/v1/namespaces/${encodeURIComponent(namespace)}/replicas`;
  const query = { fieldSelector: `spec.workload=${name}` };
  if (of.query["follow"] === "true") {
    const following = new Following(client, { of, lines, path, terminal });
    const onChange = (replicas: Mirrored): void => following.look(replicas);
    await mirror(client, { path, query, signal: of.signal, onChange });
    return;
  }
  const { items } = await client.get<ShownList>(path, { query });
  if (items.length === 0) throw new UserError("not-found", noReplicas(namespace, name));
  for (const replica of items) {
    try {
      await readOne(client, { of, lines, path }, replica);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      terminal.err(`${replica.metadata.name}: ${error.message}\n`);
    }
  }
}

const noReplicas = (namespace: string, name: string): string =>
  `workload/${namespace}/${name} has no replicas; \`${ownCommand()} explain workload/${namespace}/${name}\` says why.`;

interface Reading {
  readonly of: WorkloadLogsOf;
  readonly lines: PrefixedLines;
  readonly path: string;
}

async function readOne(
  client: ApiClient,
  { of, lines, path }: Reading,
  { metadata: { name } }: ShownObject,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const log = `${path}/${encodeURIComponent(name)}/log`;
  const into = lines.open(name);
  const query = { stream: "All", ...of.query, ...more };
  const ask = { query, accept: "text/plain", warn: of.warn };
  try {
    for await (const text of client.text(log, ask, of.signal)) into.add(text);
  } finally {
    into.end();
  }
}

/** Reads every process once, from when it is seen to its end. */
class Following {
  private readonly client: ApiClient;
  private readonly reading: Reading & { readonly terminal: Terminal };
  /** By replica: the incarnation that is read, or was. */
  private readonly read = new Map<string, string>();
  private replicas: Mirrored = new Map();

  constructor(client: ApiClient, reading: Reading & { readonly terminal: Terminal }) {
    this.client = client;
    this.reading = reading;
  }

  look(replicas: Mirrored): void {
    this.replicas = replicas;
    for (const [key, replica] of replicas) {
      const process = processOf(replica);
      if (process === undefined || this.read.get(key) === process) continue;
      this.read.set(key, process);
      void this.follow(key, process, replica);
    }
    for (const key of this.read.keys()) if (!replicas.has(key)) this.read.delete(key);
  }

  private async follow(key: string, process: string, replica: ShownObject): Promise<void> {
    const { signal } = this.reading.of;
    let more = {};
    while (!signal.aborted) {
      try {
        await readOne(this.client, this.reading, replica, more);
        return;
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        const isRefused = error instanceof Refusal;
        const isLater = isRefused ? PASSING.has(error.status.code) : isPassing(error);
        // The plane went away in the middle: lines that were read before are not written twice.
        if (!isRefused) more = { tailLines: "0" };
        const now = this.replicas.get(key);
        if (!isLater || now === undefined || processOf(now) !== process) {
          this.reading.terminal.err(`${replica.metadata.name}: ${error.message}\n`);
          return;
        }
      }
      await sleep(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Undefined while it has none. A restart and another node are another process. */
function processOf(replica: ShownObject): string | undefined {
  if (!WITH_PROCESS.has(statusText(replica, "stage"))) return undefined;
  const restarts = textOf(replica.status?.["restarts"]);
  return `${statusText(replica, "incarnation")} ${statusText(replica, "node")} ${restarts}`;
}
