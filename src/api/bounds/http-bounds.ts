/** All bounds of one server on what its clients hold of it, and the hooks that keep them. */
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { ApiLimits } from "../http/limits.ts";
import { type BodyIntake, type Intake } from "./body-intake.ts";
import type { SeatAsk } from "../shares/seat-ask.ts";
import type { SeatGate } from "../shares/seat-gate.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { callerKey, isReservedCaller } from "./caller-key.ts";
import { cutOffWhenSlow } from "./cut-off-when-slow.ts";
import type { WatchBounds } from "./watch-bounds.ts";

export interface HttpBounds {
  readonly answers: ByteBudget;
  readonly bodies: BodyIntake;
  readonly seats: SeatGate;
  readonly watches: WatchBounds;
}

export interface BoundsOptions {
  readonly limits: ApiLimits;
  /** What a request needs of the server; undefined for one that needs no seat. */
  readonly askOf: (request: FastifyRequest) => SeatAsk | undefined;
}

/** What a socket takes at once: no such answer waits here. */
const SMALL_ANSWER_BYTES = 16 * 1024;

/** After authentication: every bound is a caller's. */
export function keepBounds(
  app: FastifyInstance,
  { answers, bodies, seats }: HttpBounds,
  { limits, askOf }: BoundsOptions,
): void {
  const asks = new WeakMap<FastifyRequest, SeatAsk>();
  const intakes = new WeakMap<FastifyRequest, Intake>();
  // Answers to others say no in a few words.
  const authenticated = new WeakSet<FastifyRequest>();
  app.addHook("onRequest", (request, { raw }, done) => {
    authenticated.add(request);
    const ask = askOf(request);
    const bytes = bodyBytesOf(request, limits.bodyBytes);
    // Node closes every response, also after its end: one listener for all that ends with it.
    if (ask !== undefined || bytes > 0) {
      const carried = carriedBy(request);
      raw.once("close", () => {
        intakes.get(request)?.over();
        if (ask !== undefined) seats.tally.moved(ask, bytes + carried());
      });
    }
    if (ask !== undefined) {
      asks.set(request, ask);
      // A request that would find no place is told so before its body is read.
      const refusal = seats.checkRoom(ask);
      if (refusal !== undefined) return refusal;
    }
    if (bytes === 0) {
      done();
      return undefined;
    }
    const caller = callerKey(request);
    const isReserved = isReservedCaller(request);
    const cutOff = (): void => void raw.destroy();
    intakes.set(request, bodies.enter({ caller, bytes, isReserved, cutOff }));
    done();
    return undefined;
  });
  app.addHook("preValidation", (request, reply, done) => {
    intakes.get(request)?.received();
    const ask = asks.get(request);
    const turn = ask && seats.enter(ask, reply.raw);
    if (turn !== undefined) return turn;
    done();
    return undefined;
  });
  app.addHook("onSend", (request, { raw }, payload, done) => {
    // A stream of bytes has its own bound; a text is made, and its reader costs no more work.
    seats.answered(raw);
    if (authenticated.has(request)) holdAnswer(request, raw, payload);
    done(null, payload);
  });
  const holdAnswer = (request: FastifyRequest, raw: ServerResponse, payload: unknown): void => {
    const bytes = bytesOf(payload);
    if (bytes < SMALL_ANSWER_BYTES) return;
    cutOffWhenSlow(raw, limits.answerSlowMs);
    if (bytes === Number.POSITIVE_INFINITY) return;
    const caller = callerKey(request);
    const giveBack = answers.take({ caller, bytes, isReserved: isReservedCaller(request) });
    if (giveBack === undefined) {
      throw new ApiError(
        "too-many-requests",
        `${answers.of(caller)} bytes of responses to this caller, and ${answers.held} to all callers, are unread.`,
        { retryAfterSeconds: 1 },
      );
    }
    raw.once("close", giveBack);
  };
}

/**
 * What its connection carries while the request is there, which is its answer, all of it or nearly
 * so.
 */
function carriedBy({ raw: { socket } }: FastifyRequest): () => number {
  const before = socket.bytesWritten ?? 0;
  return () => (socket.bytesWritten ?? 0) - before;
}

/** Streams have no length; they come in parts, and no faster than they are read. */
function bytesOf(payload: unknown): number {
  if (typeof payload === "string" || payload instanceof Uint8Array) return payload.length;
  return payload === null || payload === undefined ? 0 : Number.POSITIVE_INFINITY;
}

/** As announced; a body of unknown length may be as long as any. 0 for a request without one. */
function bodyBytesOf({ method, headers }: FastifyRequest, mostBytes: number): number {
  if (method === "GET" || method === "HEAD") return 0;
  if (headers["transfer-encoding"] !== undefined) return mostBytes;
  const length = Number(headers["content-length"] ?? 0);
  // More than is read is refused by its length alone.
  return Number.isFinite(length) ? Math.min(length, mostBytes) : mostBytes;
}
