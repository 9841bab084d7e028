/**
 * Sends an answer of any length in parts: a part is made when the reader has taken the last one,
 * others get their turn in between, and the unsent part is bounded for this answer, for its caller
 * and for all. A reader that takes nothing is cut off. An answer of one part is sent as any other.
 */
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { acceptsGzip, GzipParts } from "../answer/gzip-answers.ts";
import { YAML_TYPE } from "../answer/yaml-answers.ts";
import { likesYaml } from "../http/negotiate.ts";
import { nextSlice } from "../http/next-slice.ts";
import type { SeatGate } from "../shares/seat-gate.ts";
import type { ShareLimits } from "../shares/share-limits.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { callerKey, isReservedCaller } from "./caller-key.ts";
import { cutOffWhenSlow } from "./cut-off-when-slow.ts";
import type { HttpLimits } from "./http-limits.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export interface Paced {
  readonly limits: Pick<
    HttpLimits,
    "answerChunkBytes" | "turnBytes" | "turnItems" | "turnMs" | "answerSlowMs" | "answerMs"
  > &
    Pick<ShareLimits, "slowReaderMs">;
  readonly answers: ByteBudget;
  readonly seats: Pick<SeatGate, "goOnWithout">;
  /** An answer that broke off, other than by its reader. */
  readonly onFailure: (error: unknown) => void;
}

/** An error in the first part is thrown here, before anything was said to the reader. */
export async function sendPaced(
  paced: Paced,
  reply: FastifyReply,
  pieces: Iterator<string>,
): Promise<void> {
  const parts = partsOf(pieces, paced.limits);
  const first = await parts.next();
  const second = first.done === true ? first : await parts.next();
  if (second.done === true) {
    void reply.header("Content-Type", JSON_TYPE);
    await reply.send(first.done === true ? "" : first.value);
    return;
  }
  const claim = { caller: callerKey(reply.request), isReserved: isReservedCaller(reply.request) };
  reply.hijack();
  const { raw } = reply;
  // A reader that went while the parts were made has sent its "close" already: what waits for one
  // below would wait for good, and keep a plane that stops alive.
  if (raw.destroyed) return;
  const { accept, "accept-encoding": encodings } = reply.request.headers;
  const packed = acceptsGzip(encodings) ? new GzipParts() : undefined;
  raw.writeHead(200, {
    // JSON is YAML, too.
    "Content-Type": likesYaml(accept) ? YAML_TYPE : JSON_TYPE,
    Vary: "Accept, Accept-Encoding",
    ...(packed === undefined ? {} : { "Content-Encoding": "gzip" }),
  });
  const calm = cutOffWhenSlow(raw, paced.limits.answerSlowMs);
  const late = setTimeout(() => raw.destroy(), paced.limits.answerMs);
  raw.once("close", () => {
    clearTimeout(late);
    calm();
    paced.answers.wakeAll();
  });
  try {
    const writer = {
      raw,
      answers: paced.answers,
      claim,
      packed,
      slow: new SlowReader(paced, claim.caller, raw),
    };
    await write(writer, first.value);
    await write(writer, second.value);
    for await (const part of parts) {
      if (raw.destroyed) return;
      await write(writer, part);
    }
    if (packed !== undefined) await writeBytes(writer, await packed.end());
    raw.end();
  } catch (error) {
    // The headers are out: only its missing end tells the reader.
    raw.destroy();
    paced.onFailure(error);
  }
}

/**
 * Texts of about the size of a part, with turns of the event loop between them as the work demands.
 */
export async function* partsOf(
  pieces: Iterator<string>,
  limits: Pick<HttpLimits, "answerChunkBytes" | "turnBytes" | "turnItems" | "turnMs">,
): AsyncGenerator<string> {
  let part: string[] = [];
  let partLength = 0;
  let items = 0;
  let turnLength = 0;
  let sinceMs = performance.now();
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    part.push(piece.value);
    partLength += piece.value.length;
    turnLength += piece.value.length;
    items += 1;
    if (partLength >= limits.answerChunkBytes) {
      yield part.join("");
      part = [];
      partLength = 0;
    }
    const isLong = items >= limits.turnItems || turnLength >= limits.turnBytes;
    if (isLong || performance.now() - sinceMs >= limits.turnMs) {
      await nextSlice();
      items = 0;
      turnLength = 0;
      sinceMs = performance.now();
    }
  }
  if (part.length > 0) yield part.join("");
}

interface Writer {
  readonly raw: ServerResponse;
  readonly answers: ByteBudget;
  readonly claim: { readonly caller: string; readonly isReserved: boolean };
  readonly packed: GzipParts | undefined;
  readonly slow: SlowReader;
}

async function write(writer: Writer, part: string): Promise<void> {
  const bytes = Buffer.from(part);
  const { packed } = writer;
  await writeBytes(writer, packed === undefined ? bytes : await packed.add(bytes));
}

/** Resolves when the reader has taken it, or has gone. */
async function writeBytes({ raw, answers, claim, slow }: Writer, bytes: Buffer): Promise<void> {
  if (bytes.length === 0) return;
  const claimed = { ...claim, bytes: bytes.length };
  const giveBack = await slow.during(answers.takeLater(claimed, () => raw.destroyed));
  if (giveBack === undefined) return;
  try {
    if (raw.write(bytes)) return;
    await slow.during(drained(raw));
  } finally {
    giveBack();
  }
}

/** An answer that waits for its reader is no work of the server: it gives its seat to others. */
class SlowReader {
  private readonly paced: Pick<Paced, "limits" | "seats">;
  private readonly caller: string;
  private readonly raw: ServerResponse;
  private hasSeat = true;

  constructor(paced: Pick<Paced, "limits" | "seats">, caller: string, raw: ServerResponse) {
    this.paced = paced;
    this.caller = caller;
    this.raw = raw;
  }

  async during<T>(wait: Promise<T>): Promise<T> {
    if (!this.hasSeat) return wait;
    const late = setTimeout(() => {
      this.hasSeat = false;
      if (!this.paced.seats.goOnWithout(this.caller, this.raw)) this.raw.destroy();
    }, this.paced.limits.slowReaderMs);
    try {
      return await wait;
    } finally {
      clearTimeout(late);
    }
  }
}

const drained = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (raw.destroyed) {
      resolve();
      return;
    }
    const over = (): void => {
      raw.off("drain", over);
      raw.off("close", over);
      resolve();
    };
    raw.on("drain", over);
    raw.on("close", over);
  });
