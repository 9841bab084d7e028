/**
 * What a step means for the one it is about: it got further, it waits, something was taken from it,
 * or neither.
 */
import type { Step } from "../../../src/api/explain/explanation.ts";
import type { Tone } from "../parts/stage-tone.ts";

const TONES: Readonly<Record<string, Tone>> = {
  bind: "good",
  "bind-all": "good",
  report: "busy",
  admit: "busy",
  enqueue: "busy",
  reserve: "busy",
  evict: "bad",
  preempt: "bad",
  release: "bad",
  delete: "bad",
};

export function stepTone(step: Step): Tone {
  if (step.kind === "commit") {
    // Whatever cites evidence takes something from somebody.
    return step.evidence === undefined ? (TONES[step.command] ?? "off") : "bad";
  }
  return step.kind === "wait" ? "wait" : "busy";
}
