/** A whole number that a person gave to an option of the command line. */
import { UserError } from "./errors.ts";

/** Seeds are mixed as 32-bit words: two that differ only above would be the same run. */
const LARGEST = 2 ** 32 - 1;

export function readWholeNumber(option: string, text: string, form = "a whole number"): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= LARGEST) return value;
  throw new UserError(
    "bad-usage",
    `${option}: found "${text}", expected ${form} up to ${LARGEST}.`,
  );
}
