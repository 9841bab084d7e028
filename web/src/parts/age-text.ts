/** How long something took, or ago it was, in one unit or two: `7s`, `3m20s`, `2h`, `5d`. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function ageText(ageMs: number): string {
  // Two clocks are never quite the same: what seems to come from the future is from now.
  const age = Math.max(0, ageMs);
  if (age < 2 * MINUTE) return `${Math.floor(age / SECOND)}s`;
  // Seconds matter while something is event, and are noise a few minutes later.
  if (age < 10 * MINUTE) return two(age, [MINUTE, "m"], [SECOND, "s"]);
  if (age < 2 * HOUR) return `${Math.floor(age / MINUTE)}m`;
  if (age < 10 * HOUR) return two(age, [HOUR, "h"], [MINUTE, "m"]);
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)}h`;
  return `${Math.floor(age / DAY)}d`;
}

type Unit = readonly [ms: number, word: string];

function two(age: number, [large, largeWord]: Unit, [small, smallWord]: Unit): string {
  const rest = Math.floor((age % large) / small);
  return `${Math.floor(age / large)}${largeWord}${rest === 0 ? "" : `${rest}${smallWord}`}`;
}
