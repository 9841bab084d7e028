/** What one caller, and all callers together, may use of the server. */
export interface ApiLimits {
  /** Kubernetes' own limit for a request; nothing a user writes comes near it. */
  readonly bodyBytes: number;
  /** Unsent events of one watcher. A reader that far behind is better off listing again. */
  readonly watchBufferBytes: number;
  /** Watchers at once: each costs a socket and, at worst, its buffer. */
  readonly watchers: number;
  /** Sockets at once, idle ones included. */
  readonly connections: number;
  /** How often an agent, and a watcher that asks for it, is told how far the stream has come; as often as a lease is renewed. */
  readonly bookmarkEveryMs: number;
  /** When a watcher names no time-out: long enough to be rare, and the end of every forgotten stream. */
  readonly watchTimeoutMs: number;
  /** Lists that are being paged through, kept in order for their next page. */
  readonly listsKept: number;
  /** How long a read waits for a revision that is not there yet. */
  readonly futureRevisionWaitMs: number;
  /** How long what only a leader can do waits for one: longer than a lease and a take-over together. */
  readonly leaderWaitMs: number;
  /** Users' writes at once: some ten milliseconds of work, behind which nobody else's request has to wait for long. */
  readonly writesUnderWay: number;
  /** Further ones that wait: a few seconds' worth. More would be answered when their senders have given up. */
  readonly writesWaiting: number;
  /** Logs that are being read at once: each costs a socket and at most one part of a log. */
  readonly logReaders: number;
  /** How long an agent may take over its first answer, and over each one after it. */
  readonly logFirstMs: number;
  readonly logSilenceMs: number;
  /** How long a reader may take over one part before it is cut off. */
  readonly logSlowMs: number;
  /** How often a watcher of a view is told what changed: more than people can see. */
  readonly viewEveryMs: number;
  /** How long such a watcher may take over what it was sent before it is cut off. */
  readonly viewSlowMs: number;
  /** How long a part of the recording may be replayed for, and how long the document of it may be. */
  readonly incidentMs: number;
  readonly incidentBytes: number;
  /** How long a connection may take over sending its headers; one that sends nothing is closed then, too. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often connections are held against these two. */
  readonly connectionCheckMs: number;
}

export const DEFAULT_LIMITS: ApiLimits = {
  bodyBytes: 3 * 1024 * 1024,
  watchBufferBytes: 4 * 1024 * 1024,
  watchers: 10_000,
  connections: 20_000,
  bookmarkEveryMs: 5_000,
  watchTimeoutMs: 30 * 60_000,
  listsKept: 8,
  futureRevisionWaitMs: 3_000,
  leaderWaitMs: 10_000,
  writesUnderWay: 128,
  writesWaiting: 1_024,
  logReaders: 256,
  logFirstMs: 10_000,
  logSilenceMs: 20_000,
  logSlowMs: 30_000,
  viewEveryMs: 100,
  viewSlowMs: 30_000,
  incidentMs: 20_000,
  incidentBytes: 8 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  connectionCheckMs: 5_000,
};
