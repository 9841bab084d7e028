/**
 * Reads a stream of the plane for as long as it is wanted. A connection that is lost, or says
 * nothing any more, is made anew by itself; meanwhile the screen says how old its data is.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../client/api-client.ts";
import { Refusal } from "../client/refusal.ts";
import { isPassing } from "../client/watch-events.ts";
import { UserError } from "../../shell/errors.ts";
import type { Connection } from "./top-state.ts";

export interface StreamOf {
  readonly path: string;
  /** Asked for every time anew: where to go on may have changed. */
  readonly query: () => Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onLine: (line: unknown) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Nothing can go on where it was; told before everything is begun anew. */
  readonly onExpired?: () => void;
}

/**
 * After a stream that went well: soon enough to go unnoticed, and no flood where a plane ends all
 * at once.
 */
const AFTER_AN_END_MS = 300;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/**
 * Planes say every five seconds how far they are: three of those missed is a connection that is
 * cut.
 */
const SILENCE_MS = 15_000;

export async function followStream(client: ApiClient, of: StreamOf): Promise<void> {
  const { signal, onConnection } = of;
  let pauseMs = FIRST_PAUSE_MS;
  let sinceMs: number | undefined;
  while (!signal.aborted) {
    const message = await readOnce(client, of, () => {
      pauseMs = FIRST_PAUSE_MS;
      sinceMs = undefined;
    });
    // The plane ends every stream after a while, and all of them when it stops: the next try tells
    // which it was.
    const isFirstEnd = message === undefined && sinceMs === undefined;
    sinceMs ??= Date.now();
    if (isFirstEnd) {
      await pause(AFTER_AN_END_MS, signal);
      continue;
    }
    if (!signal.aborted) onConnection({ kind: "lost", sinceMs, message: message ?? "It ended." });
    // Those who lost it together must not all come back together.
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/**
 * Resolves with what went wrong, or with nothing when the plane ended the stream after it had said
 * something.
 */
async function readOnce(
  client: ApiClient,
  of: StreamOf,
  onFirst: () => void,
): Promise<string | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const signal = AbortSignal.any([of.signal, silence.signal]);
  let lines = 0;
  try {
    for await (const line of client.lines(of.path, { query: of.query() }, signal)) {
      timer.refresh();
      of.onLine(line);
      lines += 1;
      if (lines > 1) continue;
      of.onConnection({ kind: "live" });
      onFirst();
    }
    return silence.signal.aborted || lines === 0 ? "The stream went silent." : undefined;
  } catch (error) {
    if (signal.aborted) return "The stream went silent.";
    if (error instanceof Refusal && error.status.code === 410) of.onExpired?.();
    else if (!(error instanceof UserError) || !isPassing(error)) throw error;
    return error.message;
  } finally {
    clearTimeout(timer);
  }
}
