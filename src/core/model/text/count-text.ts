/** A count with its noun, and the verb after it, as people write them. */

/** e.g. "1 replica", "2 replicas" */
export const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** e.g. "1 replica is", "2 replicas are" */
export const countAre = (count: number, noun: string): string =>
  `${countText(count, noun)} ${count === 1 ? "is" : "are"}`;

/** e.g. "0 of 1 replica", "1 of 3 replicas" */
export const partText = (count: number, whole: number, noun: string): string =>
  `${count} of ${countText(whole, noun)}`;

/** e.g. "0 of 1 replica is", "1 of 3 replicas are" */
export const partAre = (count: number, whole: number, noun: string): string =>
  `${count} of ${countAre(whole, noun)}`;
