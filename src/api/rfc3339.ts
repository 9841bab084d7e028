/** Milliseconds since 1970, as the core counts them, in the form Kubernetes clients read. */
/** RFC 3339 has years of four digits; a deadline that means "never" may lie beyond them. */
const LAST_FOUR_DIGIT_YEAR_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Whole seconds: metadata and conditions have no finer times in Kubernetes. */
export function rfc3339(ms: number): string {
  return `${rfc3339Millis(ms).slice(0, 19)}Z`;
}

/** For Berth's own fields, where the order of two events within a second is worth seeing. */
export function rfc3339Millis(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(Math.min(ms, LAST_FOUR_DIGIT_YEAR_MS)).toISOString();
  }
  return lastText;
}

/** An object has the time of its commit several times, and what follows has the same. */
let lastMs = Number.NaN;
let lastText = "";
