/**
 * How old something is, in the few characters that kubectl gives it: `45s`, `5m12s`, `3h`, `12d`.
 */
const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

interface Step {
  /** Used for ages below this many seconds. */
  readonly below: number;
  readonly unit: readonly [string, number];
  /** Shown as well, unless it is 0. */
  readonly rest?: readonly [string, number];
}

/** Where Kubernetes draws the lines: two figures while the second still says something. */
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: ["s", SECOND] },
  { below: 10 * MINUTE, unit: ["m", MINUTE], rest: ["s", SECOND] },
  { below: 3 * HOUR, unit: ["m", MINUTE] },
  { below: 8 * HOUR, unit: ["h", HOUR], rest: ["m", MINUTE] },
  { below: 2 * DAY, unit: ["h", HOUR] },
  { below: 8 * DAY, unit: ["d", DAY], rest: ["h", HOUR] },
  { below: 2 * YEAR, unit: ["d", DAY] },
  { below: 8 * YEAR, unit: ["y", YEAR], rest: ["d", DAY] },
  { below: Number.POSITIVE_INFINITY, unit: ["y", YEAR] },
];

export function ageText(ms: number): string {
  // A clock that runs a little ahead of ours must not make an age of "-1s".
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const step = STEPS.find(({ below }) => seconds < below);
  if (step === undefined) return "<unknown>";
  const [unit, size] = step.unit;
  const whole = `${Math.floor(seconds / size)}${unit}`;
  if (step.rest === undefined) return whole;
  const [restUnit, restSize] = step.rest;
  const rest = Math.floor((seconds % size) / restSize);
  return rest === 0 ? whole : `${whole}${rest}${restUnit}`;
}
