/**
 * What a stage or a health means to somebody on call. Colour follows the tone; a shape and the word
 * say the same.
 */
export type Tone = "good" | "busy" | "wait" | "bad" | "done" | "off";

/** One for each tone, told apart without colour. */
export const TONE_MARKS: Readonly<Record<Tone, string>> = {
  good: "●",
  busy: "◐",
  wait: "○",
  bad: "▲",
  done: "✓",
  off: "–",
};

const TONES: Readonly<Record<string, Tone>> = {
  // Stages of a replica.
  admitted: "wait",
  queued: "wait",
  bound: "busy",
  starting: "busy",
  ready: "good",
  serving: "good",
  running: "good",
  unknown: "bad",
  failed: "bad",
  succeeded: "done",
  released: "off",
  // Health of a node.
  suspect: "wait",
  fenced: "bad",
  draining: "busy",
  cordoned: "off",
};

/** A word that is not known is not called good or bad. */
export const toneOf = (word: string): Tone => TONES[word.toLowerCase()] ?? "off";

/**
 * As bars show them: what works first, then what is on its way, then what is in trouble or over.
 */
export const STAGE_ORDER: readonly string[] = [
  "serving",
  "running",
  "ready",
  "starting",
  "bound",
  "queued",
  "admitted",
  "unknown",
  "failed",
  "succeeded",
  "released",
];

/** Where a stage stands among the others; one that is not known comes last. */
export function stagePlace(stage: string): number {
  const at = STAGE_ORDER.indexOf(stage);
  return at === -1 ? STAGE_ORDER.length : at;
}
