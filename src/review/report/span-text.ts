/**
 * A measured time for people, such as `4 min 12 s`. It is rounded up to tenths of a second: a time
 * just above a promise must not look as if it kept it.
 */
const TENTH_MS = 100;

export function spanText(ms: number): string {
  const tenths = Math.ceil(Math.max(0, ms) / TENTH_MS);
  const hours = Math.floor(tenths / 36_000);
  const minutes = Math.floor(tenths / 600) % 60;
  const rest = tenths % 600;
  const seconds = rest % 10 === 0 ? `${rest / 10} s` : `${Math.floor(rest / 10)}.${rest % 10} s`;
  const parts = [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(rest > 0 || tenths === 0 ? [seconds] : []),
  ];
  return parts.join(" ");
}
