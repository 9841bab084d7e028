/** Finds the word a person probably meant, for "did you mean". */

/** A slip does not misspell a longer word, and the comparison costs the product of both lengths. */
const LONGEST = 100;

/**
 * Of `known`, the closest to `word`; undefined when none is close enough to be a slip of the hand.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  let best: string | undefined;
  // A third of the word may be wrong, and one letter always: `cpus` for `cpu`, `replcas` for
  // `replicas`. With two wrong letters, every word of three letters would resemble `no`.
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

/** Letters to insert, delete, replace or swap to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  let before: readonly number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const others = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, swap);
      current.push(Math.min(replace, others));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
