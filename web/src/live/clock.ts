/** The time, for texts that grow older while they are looked at. */
import { type ReadonlySignal, signal } from "@preact/signals";

/** A relative time that is a second old is still right. */
const TICK_MS = 1_000;

const now = signal(Date.now());
let isTicking = false;

/** Read while rendering, it draws again every second. */
export const nowMs: ReadonlySignal<number> = now;

/** Called once by the page; where there is none, the time stands still. */
export function startClock(): void {
  if (isTicking) return;
  isTicking = true;
  setInterval(() => void (now.value = Date.now()), TICK_MS);
}
