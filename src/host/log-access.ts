/**
 * How a plane comes by its log. A log that is a plane's own is claimed and read whole
 * (`own-log-access.ts`); one that several share is followed until it is this plane's turn to lead
 * (`shared-log-access.ts`).
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { AuthorityInput } from "../core/kernel/component.ts";
import type { Claimed, StoredCommit } from "./store/log-store.ts";
import type { PlaneAddress } from "./store/shared-log.ts";

/** What a access tells its plane. */
export interface LogListener {
  /** All of the log, and it is ours. */
  claimed(claimed: Claimed): void;
  /** With what each commit replaced, for commits that go on from where the authority is. */
  filledIn(stored: readonly StoredCommit[]): readonly Commit[];
  /** What another made durable: for the authority to fold, and to be shown. */
  followed(news: Extract<AuthorityInput, { kind: "followed" }>): void;
  /** Everything up to the end was followed, and the log is ours. */
  tookOver(won: Extract<AuthorityInput, { kind: "took-over" }>): void;
  trouble(what: string, error: unknown): void;
}

export interface LogAccess {
  /** Rejects when the log cannot be reached or read at all. */
  open(): Promise<void>;
  /** The authority asks for the log: at its start, or because what it knows may be wrong. */
  claim(): void;
  /** Resolves once what the log held at the start is told; rejects when it cannot be trusted. */
  readonly loaded: Promise<void>;
  /** Whether no other plane can lead at this moment, given that we do. */
  readonly isCertain: boolean;
  /** What the authority must hear before anything else: that its lease may be over. */
  lapses(): readonly AuthorityInput[];
  /** Whether several planes have this log, and another may lead. */
  readonly isShared: boolean;
  /** Where to send what only a leader can do; undefined while no other is known. */
  readonly leader: PlaneAddress | undefined;
  /** A revision that nothing acknowledged anywhere before this call lies after. */
  newest(): Promise<number>;
  /** Follows only, from here on; the next plane may lead at once. */
  resign(): Promise<void>;
  close(): Promise<void>;
}
