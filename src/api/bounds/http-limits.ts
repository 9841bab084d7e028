/**
 * What connections, bodies, answers and watches may hold of the server: per address, per caller,
 * and in all.
 */
import { type Limit, limitValues } from "../../core/model/limits/limit.ts";

const MIB = 1024 * 1024;

export const HTTP_LIMITS = {
  connectionsPerAddress: {
    value: 10_000,
    unit: "count",
    of: "open sockets of one address",
    beyond: "the oldest idle one of that address is closed; with none idle, the new one",
    why: "half of all: a proxy before many clients is one address",
  },
  connectionsReserved: {
    value: 64,
    unit: "count",
    of: "sockets beyond those bounds, when none is idle",
    beyond: "the connection is closed",
    why: "health checks and leases; each is closed after one response",
  },
  keepAliveMs: {
    value: 60_000,
    unit: "ms",
    of: "the time between two requests of a connection",
    beyond: "the connection is closed",
    why: "longer than clients and other planes keep theirs (30 s)",
  },
  bodiesReceiving: {
    value: 1_024,
    unit: "count",
    of: "requests whose body is being received",
    beyond:
      "the oldest one without progress is aborted, or 429 `too-many-requests` with Retry-After",
    why: "as many as writes may wait afterwards",
  },
  bodiesReceivingPerCaller: {
    value: 256,
    unit: "count",
    of: "such requests of one caller",
    beyond: "the caller's oldest one without progress is aborted, or 429 with Retry-After",
    why: "more connections than any Berth client opens",
  },
  bodyGraceMs: {
    value: 1_000,
    unit: "ms",
    of: "the time before a body may be aborted for another one",
    beyond: "it may be aborted",
    why: "a full body on any connection that is not stalled",
  },
  bodyBytesHeld: {
    value: 64 * MIB,
    unit: "bytes",
    of: "bodies of users' requests, received, waiting or in progress",
    beyond: "429 `too-many-requests` with Retry-After, before the body is read",
    why: "1,024 waiting manifests of 64 KiB",
  },
  bodyBytesHeldPerCaller: {
    value: 32 * MIB,
    unit: "bytes",
    of: "such bodies of one caller",
    beyond: "429 with Retry-After, before the body is read",
    why: "half of all; ten of the largest",
  },
  answerBytes: {
    value: 256 * MIB,
    unit: "bytes",
    of: "responses that their readers have not read yet",
    beyond: "a list waits; any other request gets 429 with Retry-After",
    why: "four times what one caller may have",
  },
  answerBytesPerCaller: {
    value: 64 * MIB,
    unit: "bytes",
    of: "such responses of one caller",
    beyond: "a list waits; any other request gets 429 with Retry-After",
    why: "a quarter of all",
  },
  answerChunkBytes: {
    value: 64 * 1024,
    unit: "bytes",
    of: "the part of a streamed response that is rendered before its reader took the last one",
    beyond: "the part is sent; an item is never split",
    why: "some milliseconds of work, and what a socket takes at once",
  },
  turnBytes: {
    value: 256 * 1024,
    unit: "bytes",
    of: "text that one response renders in one turn of the event loop",
    beyond: "other requests get their turn",
    why: "one or two milliseconds of work",
  },
  turnMs: {
    value: 2,
    unit: "ms",
    of: "the time in which one response renders in one turn of the event loop",
    beyond: "other requests get their turn",
    why: "on a busy machine, or for large objects, as many items take several times as long",
  },
  turnItems: {
    value: 100,
    unit: "count",
    of: "items that one response renders in one turn of the event loop",
    beyond: "other requests get their turn",
    why: "a millisecond of work for derived kinds",
  },
  turnSelected: {
    value: 1_000,
    unit: "count",
    of: "objects that one request matches against its selectors in one turn of the event loop",
    beyond: "other requests get their turn",
    why: "some milliseconds for a selector with the maximum number of requirements",
  },
  pageBytes: {
    value: 2 * MIB,
    unit: "bytes",
    of: "a page of a list with `limit`",
    beyond: "the page ends there, with `continue`",
    why: "kubectl's pages of 500 objects of 4 KiB",
  },
  answerSlowMs: {
    value: 30_000,
    unit: "ms",
    of: "a reader that reads nothing of its response or watch",
    beyond: "the connection is closed",
    why: "a person's pause, not a forgotten reader",
  },
  answerMs: {
    value: 5 * 60_000,
    unit: "ms",
    of: "the time to read a whole streamed response",
    beyond: "the connection is closed",
    why: "a gigabyte at 4 MiB/s; pages serve slower readers",
  },
  textsKeptBytes: {
    value: 64 * MIB,
    unit: "bytes",
    of: "rendered objects cached for the next read",
    beyond: "the oldest is rendered again on request",
    why: "40,000 objects of a usual size",
  },
  watchersPerCaller: {
    value: 5_000,
    unit: "count",
    of: "open watches of one caller",
    beyond: "429 `too-many-requests` with Retry-After",
    why: "half of all",
  },
  streamsPerNode: {
    value: 8,
    unit: "count",
    of: "open streams for the agent of one node",
    beyond: "the oldest is ended",
    why: "one, and those of lost connections that were not detected yet",
  },
  watchBytes: {
    value: 256 * MIB,
    unit: "bytes",
    of: "unsent events of all watchers",
    beyond: "the watcher that is furthest behind is ended",
    why: "64 watchers at their own bound",
  },
  watchBytesPerCaller: {
    value: 64 * MIB,
    unit: "bytes",
    of: "unsent events of one caller's watchers",
    beyond: "the caller's watcher that is furthest behind is ended",
    why: "a quarter of all",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type HttpLimits = Readonly<Record<keyof typeof HTTP_LIMITS, number>>;

export const DEFAULT_HTTP_LIMITS: HttpLimits = limitValues(HTTP_LIMITS);
