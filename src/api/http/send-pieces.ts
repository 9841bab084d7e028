/** An answer of JSON in pieces, under the bounds of the server that the context is of. */
import type { FastifyReply } from "fastify";
import { sendPaced } from "../bounds/paced-answer.ts";
import type { ApiContext } from "./api-context.ts";

export function sendPieces(
  { limits, bounds, log }: ApiContext,
  reply: FastifyReply,
  pieces: Iterator<string>,
): Promise<void> {
  const { url } = reply.request;
  const onFailure = (err: unknown): void => log.error({ err, url }, "Failed to send a response.");
  return sendPaced(
    { limits, answers: bounds.answers, seats: bounds.seats, onFailure },
    reply,
    pieces,
  );
}

/** `head` is everything up to the list's bracket, `tail` everything from its end. */
export function* listPieces(
  head: string,
  items: Iterable<string>,
  tail: string,
): Generator<string, undefined> {
  yield head;
  let separator = "";
  for (const item of items) {
    yield `${separator}${item}`;
    separator = ",";
  }
  yield tail;
}

/** Each put into words when its turn has come. */
export function* jsonTexts<T>(
  items: Iterable<T>,
  shownAs: (item: T) => unknown = (item) => item,
): Generator<string, undefined> {
  for (const item of items) yield JSON.stringify(shownAs(item));
}
