/** Reads the lines of a streamed answer as they come. */
import { send } from "./api.ts";
import { ApiFailure } from "./api-failure.ts";
import { LineSplitter } from "./line-splitter.ts";
import { piecesOf } from "./pieces-of.ts";

/**
 * A stream says something at least every 15 s. One that is silent for longer than two such times is
 * broken, even when the network has not noticed: a laptop that slept, a balancer that forgot.
 */
export const SILENCE_MS = 40_000;

export interface Reading {
  readonly signal: AbortSignal;
  /** All the lines of a piece at once, parsed: a piece often holds many. */
  readonly onMessages: (messages: readonly unknown[]) => void;
}

/**
 * Resolves when the server ends the stream; rejects with an ApiFailure when it breaks, and with the
 * abort when it is stopped.
 */
export async function readLines(path: string, { signal, onMessages }: Reading): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const { body } = await send("GET", path, undefined, { signal: either });
    if (body === null) throw new ApiFailure(0, { message: "The plane sent an empty answer." });
    const lines = new LineSplitter();
    for await (const piece of piecesOf(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const complete = lines.push(piece);
      if (complete.length > 0) onMessages(complete.map((line) => JSON.parse(line) as unknown));
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiFailure) throw error;
    if (!silence.signal.aborted) throw ApiFailure.unreachable(error);
    throw new ApiFailure(0, { message: "The plane has been silent for 40 s." });
  } finally {
    clearTimeout(timer);
  }
}
