/**
 * Delta debugging (Zeller and Hildebrandt's ddmin) over a list: the smallest part of it that still
 * passes the test, in that no single item can be left out. Only complements are tried; trying parts
 * alone finds the same minimum and rarely sooner, because a violation seldom needs only one stretch
 * of the list.
 */

/** Says whether this part of the list will do; undefined once there are no more tries. */
export type StillDoes<T> = (part: readonly T[]) => boolean | undefined;

export function ddmin<T>(items: readonly T[], stillDoes: StillDoes<T>): readonly T[] {
  let kept = items;
  // Most lists hold nothing that matters: one try settles those.
  if (kept.length > 0) {
    const none = stillDoes([]);
    if (none === undefined) return kept;
    if (none) return [];
  }
  let parts = 2;
  while (kept.length > 1) {
    const size = Math.ceil(kept.length / parts);
    const smaller = withoutOnePart(kept, size, stillDoes);
    if (smaller === "no-more-tries") return kept;
    if (smaller) {
      kept = smaller;
      parts = Math.max(parts - 1, 2);
    } else if (size === 1) {
      return kept;
    } else {
      parts = Math.min(parts * 2, kept.length);
    }
  }
  return kept;
}

/** From the back: what happened last is what most often does not matter. */
function withoutOnePart<T>(
  items: readonly T[],
  size: number,
  stillDoes: StillDoes<T>,
): readonly T[] | "no-more-tries" | undefined {
  for (let end = items.length; end > 0; end -= size) {
    const rest = [...items.slice(0, Math.max(end - size, 0)), ...items.slice(end)];
    const does = stillDoes(rest);
    if (does === undefined) return "no-more-tries";
    if (does) return rest;
  }
  return undefined;
}
