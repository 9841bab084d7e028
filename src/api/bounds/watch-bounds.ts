/**
 * What all watchers together hold of the server: how many there are of each caller, and how many
 * bytes of events wait for them. When there are too many bytes, the watcher that is furthest behind
 * is ended first.
 */
import type { EventEmitter } from "node:events";
import { ApiError } from "../errors.ts";
import type { HttpLimits } from "./http-limits.ts";

type Limits = Pick<
  HttpLimits,
  "watchersPerCaller" | "watchBytes" | "watchBytesPerCaller" | "streamsPerNode"
>;

/** An agent's own stream. */
export interface NodeStream {
  readonly response: EventEmitter;
  readonly end: () => void;
}

/** As a tenant's quota states it. */
export interface TenantBound {
  readonly namespace: string;
  readonly most: number;
}

/** A watcher's unsent events. */
export interface Backlog {
  readonly caller: string;
  /** Ends the watcher, which drops its backlog. */
  readonly giveUp: () => void;
}

const RETRY_AFTER_SECONDS = 1;

export class WatchBounds {
  private readonly limits: Limits;
  private readonly watchers = new Map<string, number>();
  /** Of tenants whose quota bounds them. */
  private readonly ofTenants = new Map<string, number>();
  /** Oldest first. */
  private readonly streams = new Map<string, Set<NodeStream>>();
  private readonly backlogs = new Map<Backlog, number>();
  private readonly bytesOf = new Map<string, number>();
  /** Of all watchers. */
  bytes = 0;
  turnedAway = 0;
  /** Ended because all, or all of a caller's, had too much waiting. */
  ended = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  of(caller: string): number {
    return this.watchers.get(caller) ?? 0;
  }

  /**
   * Throws when the caller or the tenant has as many watches as it may. Counted until the sender is
   * gone.
   */
  enter(caller: string, sender: EventEmitter, tenant?: TenantBound): void {
    if (tenant !== undefined) this.checkTenant(tenant);
    const own = this.watchers.get(caller) ?? 0;
    if (own >= this.limits.watchersPerCaller) {
      this.turnedAway += 1;
      throw new ApiError(
        "too-many-requests",
        `The server already serves ${own} watches of this caller.`,
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    count(this.watchers, caller, sender);
    if (tenant !== undefined) count(this.ofTenants, tenant.namespace, sender);
  }

  private checkTenant({ namespace, most }: TenantBound): void {
    const open = this.ofTenants.get(namespace) ?? 0;
    if (open < most) return;
    this.turnedAway += 1;
    const message = `The server already serves ${open} watches of tenant ${namespace}, and its quota allows ${most}.`;
    throw new ApiError("too-many-requests", message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      causes: [{ reason: "tenant-watches", message }],
    });
  }

  /** An agent that came back may not have lost its old streams yet: the newest are its own. */
  limitStreams(node: string, stream: NodeStream): void {
    const own = this.streams.get(node) ?? new Set();
    this.streams.set(node, own);
    own.add(stream);
    stream.response.once("close", () => {
      own.delete(stream);
      if (own.size === 0 && this.streams.get(node) === own) this.streams.delete(node);
    });
    const [oldest] = own;
    if (own.size <= this.limits.streamsPerNode || oldest === undefined) return;
    own.delete(oldest);
    this.ended += 1;
    oldest.end();
  }

  /** So much waits for the watcher now; 0 when it is gone. */
  note(backlog: Backlog, bytes: number): void {
    const { caller } = backlog;
    const grown = bytes - (this.backlogs.get(backlog) ?? 0);
    if (grown === 0) return;
    if (bytes === 0) this.backlogs.delete(backlog);
    else this.backlogs.set(backlog, bytes);
    this.bytes += grown;
    const own = (this.bytesOf.get(caller) ?? 0) + grown;
    if (own === 0) this.bytesOf.delete(caller);
    else this.bytesOf.set(caller, own);
    if (grown < 0) return;
    if (own > this.limits.watchBytesPerCaller) this.endWorst((each) => each.caller === caller);
    if (this.bytes > this.limits.watchBytes) this.endWorst(() => true);
  }

  private endWorst(isMeant: (backlog: Backlog) => boolean): void {
    let worst: Backlog | undefined;
    let most = 0;
    for (const [backlog, bytes] of this.backlogs) {
      if (bytes <= most || !isMeant(backlog)) continue;
      worst = backlog;
      most = bytes;
    }
    if (worst === undefined) return;
    this.ended += 1;
    worst.giveUp();
    this.note(worst, 0);
  }
}

/** Until the sender is gone. */
function count(counts: Map<string, number>, name: string, sender: EventEmitter): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  sender.once("close", () => {
    const left = (counts.get(name) ?? 0) - 1;
    if (left <= 0) counts.delete(name);
    else counts.set(name, left);
  });
}
