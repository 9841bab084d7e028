/** Plays an incident: goes on turn by turn, as fast as was chosen, until the end. */
import { effect } from "@preact/signals";
import type { IncidentModel } from "./reading/incident-model.ts";

/** Turns a second: slow enough to read, to follow, to skim, to see the shape of it. */
export const SPEEDS: readonly number[] = [2, 8, 30, 120];

/** A tab that was in the background must not leap ahead when it is looked at again. */
const LONGEST_FRAME_MS = 250;

/** Returns how to stop for good. */
export function playTurns(model: IncidentModel): () => void {
  let frame = 0;
  const stop = effect(() => {
    const speed = model.speed.value;
    cancelAnimationFrame(frame);
    if (speed === 0) return;
    let before = performance.now();
    let owed = 0;
    const tick = (now: number): void => {
      owed += (Math.min(now - before, LONGEST_FRAME_MS) / 1000) * speed;
      before = now;
      for (; owed >= 1; owed--) {
        if (model.step(1)) continue;
        model.speed.value = 0;
        return;
      }
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}
