/**
 * Which of many objects a selector lets through. A selector of as many requirements as are allowed
 * takes microseconds for each object, and a plane may have a million: others get their turn in
 * between. The list must not change meanwhile.
 */
import { nextSlice } from "../http/next-slice.ts";

export async function selectInTurns<T>(
  objects: readonly T[],
  matches: (object: T) => boolean,
  perTurn: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const [at, object] of objects.entries()) {
    if (at > 0 && at % perTurn === 0) await nextSlice();
    if (matches(object)) found.push(object);
  }
  return found;
}
