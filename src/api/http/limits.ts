/** What one caller, and all callers together, may use of the server. */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";
import { SESSION_LIMITS, type SessionLimits } from "../sessions/session-limits.ts";
import { DEFAULT_SHARE_LIMITS, type ShareLimits } from "../shares/share-limits.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../bounds/http-limits.ts";

export const API_LIMITS = {
  bodyBytes: {
    value: 3 * 1024 * 1024,
    unit: "bytes",
    of: "a request body",
    beyond: "413 `body-too-large`",
    why: "Kubernetes' own limit for a request; no manifest comes near it",
  },
  watchBufferBytes: {
    value: 4 * 1024 * 1024,
    unit: "bytes",
    of: "unsent events of one watcher",
    beyond: "the watch ends; the client lists again",
    why: "a reader that far behind is faster with a new list",
  },
  watchers: {
    value: 10_000,
    unit: "count",
    of: "open watches",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "each costs a socket and, at worst, its buffer",
  },
  connections: {
    value: 20_000,
    unit: "count",
    of: "open sockets, idle ones included",
    beyond:
      "the oldest idle one is closed; with none idle, the new one serves health checks and leases alone",
    why: "twice the watches",
  },
  bookmarkEveryMs: {
    value: 5_000,
    unit: "ms",
    of: "the time between bookmarks of a stream",
    beyond: "the next bookmark is sent",
    why: "as often as a lease is renewed",
  },
  watchTimeoutMs: {
    value: 30 * 60_000,
    unit: "ms",
    of: "a watch without a timeout",
    beyond: "the watch ends; the client resumes",
    why: "long enough to be rare, and ends forgotten streams",
  },
  listsKept: {
    value: 8,
    unit: "count",
    of: "sorted lists cached for their next page",
    beyond: "the oldest is dropped and sorted again on request",
    why: "one for each kind that people page through",
  },
  futureRevisionWaitMs: {
    value: 3_000,
    unit: "ms",
    of: "a read that waits for a later revision",
    beyond: "504 `revision-not-reached`",
    why: "Kubernetes' own patience",
  },
  leaderWaitMs: {
    value: 10_000,
    unit: "ms",
    of: "a request that waits for a leader",
    beyond: "503 `not-leading`",
    why: "longer than a lease and a takeover together",
  },
  backups: {
    value: 2,
    unit: "count",
    of: "backups being sent",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "each holds a reading transaction, which blocks cleanup of the log's file, and some megabytes",
  },
  logReaders: {
    value: 256,
    unit: "count",
    of: "logs being read",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "each costs a socket and at most one part of a log",
  },
  logReadersPerCaller: {
    value: 128,
    unit: "count",
    of: "logs that one caller reads",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "half of all",
  },
  logReadersPerCallerAndNode: {
    value: 24,
    unit: "count",
    of: "logs of one node that one caller reads",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "three quarters of what the node's agent serves at once; `berth logs -f` reads two",
  },
  logFirstMs: {
    value: 10_000,
    unit: "ms",
    of: "an agent's first response to a log request",
    beyond: "504 `agent-silent`",
    why: "two renewals of a lease",
  },
  logSilenceMs: {
    value: 20_000,
    unit: "ms",
    of: "the time between two responses to a log request",
    beyond: "the log is truncated",
    why: "an agent responds at least every ten seconds",
  },
  logSlowMs: {
    value: 30_000,
    unit: "ms",
    of: "a reader that does not read one part of a log",
    beyond: "the connection is closed",
    why: "a person's pause, not a forgotten reader",
  },
  viewEveryMs: {
    value: 100,
    unit: "ms",
    of: "the time between two updates of a dashboard view",
    beyond: "changes are joined into the next update",
    why: "faster than a person sees",
  },
  viewSlowMs: {
    value: 30_000,
    unit: "ms",
    of: "a dashboard that does not read its updates",
    beyond: "the connection is closed",
    why: "a person's pause, not a forgotten reader",
  },
  incidentMs: {
    value: 20_000,
    unit: "ms",
    of: "the replay of a part of the recording",
    beyond: "504 `incident-late`",
    why: "as long as a person waits for a page",
  },
  incidentBytes: {
    value: 8 * 1024 * 1024,
    unit: "bytes",
    of: "the document of a recorded incident",
    beyond: "the document ends there and says so",
    why: "what a browser opens easily",
  },
  incidentChanges: {
    value: 100_000,
    unit: "count",
    of: "changes of the log that one request for incidents looks at",
    beyond: "the answer ends there, and the next request goes on",
    why: "some tenths of a second, 500 changes in one turn of the event loop",
  },
  incidentObjects: {
    value: 200_000,
    unit: "count",
    of: "objects that the list of incidents remembers",
    beyond: "no older incidents are listed",
    why: "some tens of megabytes",
  },
  headersTimeoutMs: {
    value: 10_000,
    unit: "ms",
    of: "the time to send request headers, or to finish a TLS handshake",
    beyond: "the connection is closed",
    why: "two renewals of a lease",
  },
  requestTimeoutMs: {
    value: 30_000,
    unit: "ms",
    of: "the time to send a whole request",
    beyond: "the connection is closed",
    why: "a full body over a slow connection",
  },
  connectionCheckMs: {
    value: 5_000,
    unit: "ms",
    of: "the time between two checks of open connections against their limits",
    beyond: "the next check",
    why: "half of the shortest of those limits",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type ApiLimits = HttpLimits &
  ShareLimits &
  SessionLimits &
  Readonly<Record<keyof typeof API_LIMITS, number>>;

export const DEFAULT_LIMITS: ApiLimits = {
  ...limitValues(API_LIMITS),
  ...DEFAULT_HTTP_LIMITS,
  ...DEFAULT_SHARE_LIMITS,
  ...limitValues(SESSION_LIMITS),
};
