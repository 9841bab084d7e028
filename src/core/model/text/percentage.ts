/**
 * A part of a whole number, kept as it was said: `25%`. What it comes to is worked out when it is
 * asked for.
 */

export type Percentage = `${number}%`;

/** Whole percents of up to three digits: a thousandfold is a mistake. */
const FORM = /^(?:0|[1-9][0-9]{0,2})%$/;

export const isPercentage = (text: unknown): text is Percentage =>
  typeof text === "string" && FORM.test(text);

export const percentsOf = (part: Percentage): number => Number(part.slice(0, -1));

/** 25 % of 6 are 2. */
export const partRoundedUp = (part: Percentage, whole: number): number =>
  Math.ceil((percentsOf(part) * whole) / 100);

/** 25 % of 6 are 1. */
export const partRoundedDown = (part: Percentage, whole: number): number =>
  Math.floor((percentsOf(part) * whole) / 100);
