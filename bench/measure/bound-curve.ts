/** How many were bound by when: enough points for a plot, however many there were. */

export type CurvePoint = readonly [ms: number, bound: number];

/** Finer than a plot of ordinary width can show. */
const MOST_POINTS = 240;

export function thinnedOut(points: readonly CurvePoint[]): readonly CurvePoint[] {
  if (points.length <= MOST_POINTS) return points;
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from(
    { length: MOST_POINTS },
    (_, at) => points[Math.round(at * step)] ?? ([0, 0] as const),
  );
}
