/** A number and its noun, e.g. "1 replica" and "2 replicas". */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
