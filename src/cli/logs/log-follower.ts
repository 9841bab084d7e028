/**
 * Follows the logs of replicas, one process after the other: reads each from when it is seen to its
 * end, and goes on when a replica restarts or moves to another node.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ShownObject, statusText } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import type { Mirrored } from "../client/mirror.ts";
import { Refusal } from "../client/refusal.ts";
import { isPassing } from "../client/watch-events.ts";

/** Where the text of one process goes; `end` gives what has no end of line. */
export interface ProcessText {
  add(text: string): void;
  end(): void;
}

export interface LogSource {
  /** Of the collection that the replicas are in. */
  readonly path: string;
  /** Of each replica: which lines of which process, and whether with times. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Hears what the plane warns of. */
  readonly warn?: (warning: string) => void;
  readonly signal: AbortSignal;
  /** The text of a process of this replica comes now. */
  open(replica: string): ProcessText;
}

export interface FollowedLogs extends LogSource {
  /** Replicas in these stages have a process whose log is wanted. */
  readonly stages: ReadonlySet<string>;
  /** A log that cannot be read. */
  complain(replica: string, message: string): void;
}

/** A process that has just been ordered has no log for a moment. */
const TRY_AGAIN_MS = 500;
const PASSING: ReadonlySet<number> = new Set([404, 429, 504]);

export async function readLog(
  client: ApiClient,
  of: LogSource,
  { metadata: { name } }: ShownObject,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const path = `${of.path}/${encodeURIComponent(name)}/log`;
  const into = of.open(name);
  const query = { stream: "All", ...of.query, ...more };
  const { warn } = of;
  const ask = { query, accept: "text/plain", ...(warn === undefined ? {} : { warn }) };
  try {
    for await (const text of client.text(path, ask, of.signal)) into.add(text);
  } finally {
    into.end();
  }
}

export class LogFollower {
  private readonly client: ApiClient;
  private readonly of: FollowedLogs;
  /** As each was when the reading of its process began. */
  private readonly read = new Map<string, ShownObject>();
  private replicas: Mirrored = new Map();

  constructor(client: ApiClient, of: FollowedLogs) {
    this.client = client;
    this.of = of;
  }

  look(replicas: Mirrored): void {
    this.replicas = replicas;
    for (const [key, replica] of replicas) {
      if (!this.of.stages.has(statusText(replica, "stage"))) continue;
      const known = this.read.get(key);
      if (known !== undefined && isSameProcess(known, replica)) continue;
      this.read.set(key, replica);
      void this.follow(key, replica);
    }
    for (const key of this.read.keys()) if (!replicas.has(key)) this.read.delete(key);
  }

  private async follow(key: string, replica: ShownObject): Promise<void> {
    const { signal } = this.of;
    let more = {};
    while (!signal.aborted) {
      try {
        await readLog(this.client, this.of, replica, more);
        return;
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        const isRefused = error instanceof Refusal;
        const isLater = isRefused ? PASSING.has(error.status.code) : isPassing(error);
        // The plane went away in the middle: lines that were read before are not written twice.
        if (!isRefused) more = { tailLines: "0" };
        const now = this.replicas.get(key);
        if (!isLater || now === undefined || !isSameProcess(replica, now)) {
          this.of.complain(replica.metadata.name, error.message);
          return;
        }
      }
      await sleep(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A restart is another incarnation; a replica that has ended need not have a node any more. */
function isSameProcess(before: ShownObject, now: ShownObject): boolean {
  const [from, to] = [statusText(before, "node"), statusText(now, "node")];
  const isThere = to === "" || from === "" || from === to;
  return isThere && statusText(before, "incarnation") === statusText(now, "incarnation");
}
