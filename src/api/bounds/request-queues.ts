/** Where requests wait their turn: long reads in one queue, the writes of users in another. */
import type { FastifyRequest } from "fastify";
import { callerOf } from "../http/caller.ts";
import type { ApiLimits } from "../http/limits.ts";
import type { HttpLimits } from "./http-limits.ts";
import { TurnQueue } from "./turn-queue.ts";

type ReadLimits = Pick<
  HttpLimits,
  "readsUnderWay" | "readsUnderWayPerCaller" | "readsWaiting" | "readWaitMs"
>;

/** Lists, explanations, past states: a caller's slow readers delay only that caller's own reads. */
export const createReadQueue = (limits: ReadLimits): TurnQueue =>
  new TurnQueue({
    what: "long reads",
    underWay: limits.readsUnderWay,
    underWayPerCaller: limits.readsUnderWayPerCaller,
    waiting: limits.readsWaiting,
    waitMs: limits.readWaitMs,
  });

type WriteLimits = Pick<ApiLimits, "writesUnderWay" | "writesUnderWayPerCaller" | "writesWaiting">;

/**
 * Agents renew their leases beside this queue, never behind it. A write takes its place when its
 * body is here and gives it back when its answer is made: how long the sender takes to read the
 * answer holds up no other write.
 */
export const createWriteQueue = (limits: WriteLimits): TurnQueue =>
  new TurnQueue({
    what: "writes",
    underWay: limits.writesUnderWay,
    underWayPerCaller: limits.writesUnderWayPerCaller,
    waiting: limits.writesWaiting,
  });

const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * What agents and remote controllers send has its own bounds at the sender, and leases must come
 * through.
 */
const NOT_QUEUED = /^\/(?:commands|stream)(?:[/?]|$)/;

/** An agent that joins is on its way to its first lease. */
export const isQueuedWrite = (request: FastifyRequest): boolean =>
  WRITES.has(request.method) && !NOT_QUEUED.test(request.url) && callerOf(request).kind !== "agent";
