/**
 * How a plane comes by its log. A log that is a plane's own is claimed and read whole (`own-seat.ts`); one that
 * several share is followed until it is this plane's turn to lead (`shared-seat.ts`).
 */
import type { Snapshot } from "../core/commit/snapshot.ts";
import type { Claimed, StoredCommit } from "./store/log-store.ts";
import type { Led, PlaneAddress } from "./store/shared-log.ts";

/** What a seat tells its plane. */
export interface Seated {
  /** All of the log, and it is ours. */
  claimed(claimed: Claimed): void;
  /** Begin again, from a snapshot or from nothing; what was shown already stays shown. */
  followedFrom(snapshot: Snapshot | undefined): void;
  /** These are durable; another appended them. */
  followed(commits: readonly StoredCommit[]): void;
  /** Everything up to the end was followed, and the log is ours. */
  tookOver(led: Led): void;
  trouble(what: string, error: unknown): void;
}

export interface LogSeat {
  /** Rejects when the log cannot be reached or read at all. */
  open(): Promise<void>;
  /** The authority asks for the log: at its start, or because what it knows may be wrong. */
  claim(): void;
  /** Resolves once what the log held at the start is told; rejects when it cannot be trusted. */
  readonly loaded: Promise<void>;
  /** Whether nobody else can lead at this moment, given that we do. */
  readonly isCertain: boolean;
  /** Whether several planes have this log, and another may lead. */
  readonly isShared: boolean;
  /** Where to send what only a leader can do; undefined while no other is known. */
  readonly leader: PlaneAddress | undefined;
  /** A revision that nothing acknowledged anywhere before this call lies after. */
  newest(): Promise<number>;
  /** Follows only, from here on; whoever is next may lead at once. */
  resign(): Promise<void>;
  close(): Promise<void>;
}
