/**
 * One stretch of a trace that is over. Ids are made of what the stretch is, so that every teller
 * makes the same.
 */
import type { Uid } from "../../../core/model/ids.ts";
import type { Stage } from "../../../core/model/stage.ts";

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Left out: the root of its trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** In parts, of which the first is that of all spans of an incarnation. */
  readonly attributes: readonly SpanAttributes[];
  readonly isError: boolean;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Not a secret, only the same everywhere and hardly ever the same for two: a cheap hash will do.
 */
function hashOf(text: string, salt: number): number {
  let hash = FNV_OFFSET ^ Math.imul(salt, 0x9e3779b1);
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  // What comes last must reach the highest digits, too: names of one workload differ only there.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Eight hexadecimal digits for each word, as the protocol wants them. */
function digits(text: string, words: number): string {
  let all = "";
  for (let word = 1; word <= words; word += 1) {
    all += hashOf(text, word).toString(16).padStart(8, "0");
  }
  return all;
}

const TRACE_WORDS = 4;
const SPAN_WORDS = 2;

/** One incarnation of one replica is one trace, whichever plane leads while it lasts. */
export const traceIdOf = (uid: Uid, incarnation: number): string =>
  digits(`${uid}/${incarnation}`, TRACE_WORDS);

export const rootIdOf = (traceId: string): string => digits(`${traceId}/root`, SPAN_WORDS);

/** A replica may come to a stage twice in one incarnation, but not at the same time. */
export const stageIdOf = (traceId: string, stage: Stage, sinceMs: number): string =>
  digits(`${traceId}/${stage}/${sinceMs}`, SPAN_WORDS);

/** Parts of the whole that a sampling rate is counted in. */
const WHOLE = 2 ** 32;

/**
 * The same incarnations for every plane, and cheap for those that are not traced: this is asked of
 * every replica.
 */
export const isSampled = (uid: Uid, incarnation: number, rate: number): boolean =>
  rate >= 1 || hashOf(uid, -incarnation) / WHOLE < rate;
