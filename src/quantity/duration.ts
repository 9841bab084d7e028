/**
 * Durations as people write them: `250ms`, `90s`, `1m30s`, `2h`. Inside they are whole
 * milliseconds, and every whole number of milliseconds can be written and read back unchanged.
 */
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

export const DURATION_FORM = "a duration such as 250ms, 90s, 1m30s or 2h";

/** Longer than any duration a person means. */
const LONGEST_TEXT = 100;

/** Undefined when the text is not a duration of whole milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const match = /^(-?)((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)$/.exec(text.trim());
  if (!match) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of (match[2] ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    totalMs += Number(amount) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
  }
  // 0.1s must not become 100.00000000000001 ms, nor 0.0001s vanish.
  const wholeMs = Math.round(totalMs);
  if (!Number.isSafeInteger(wholeMs) || Math.abs(totalMs - wholeMs) > 1e-6) return undefined;
  return match[1] === "-" && wholeMs !== 0 ? -wholeMs : wholeMs;
}

/** ` Did you mean "3s"?` of a number without a unit, as durations are written elsewhere. */
export const secondsMeant = (text: string): string =>
  /^\d+(?:\.\d+)?$/.test(text) ? ` Did you mean "${text}s"?` : "";

/** In the largest unit that leaves no remainder, so that nothing is rounded away. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0s";
  for (const [unit, size] of Object.entries(UNIT_MS)) {
    if (ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}
