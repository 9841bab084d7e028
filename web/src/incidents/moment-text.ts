/**
 * Moments and lengths of time as they are read off an axis: simulated time counts from 0, recorded
 * time is a clock's.
 */

/** e.g. "00:12.345", or "09:41:07.120" where the moment is known; both sort as they read. */
export function momentText(atMs: number, epochMs: number | undefined): string {
  if (epochMs !== undefined) return new Date(epochMs + atMs).toISOString().slice(11, 23);
  const whole = Math.max(0, Math.floor(atMs));
  const minutes = String(Math.floor(whole / 60_000)).padStart(2, "0");
  const seconds = String(Math.floor(whole / 1000) % 60).padStart(2, "0");
  return `${minutes}:${seconds}.${String(whole % 1000).padStart(3, "0")}`;
}

/** With the day, for a title. */
export const exactMomentText = (atMs: number, epochMs: number | undefined): string =>
  epochMs === undefined
    ? `${Math.floor(atMs)} ms after the start of the simulation`
    : new Date(epochMs + atMs).toISOString();

/** e.g. "12 ms", "1.2 s", "3 min 5 s" */
export function lengthText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
