/** Searches in sorted numbers: whatever is drawn, scrubbed or looked up by time begins here. */

/** The first place whose number is at least `wanted`; the length when there is none. */
export function firstAtLeast(numbers: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last place whose number is at most `wanted`; -1 when there is none. */
export const lastAtMost = (numbers: ArrayLike<number>, wanted: number): number =>
  firstAfter(numbers, wanted) - 1;

function firstAfter(numbers: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
