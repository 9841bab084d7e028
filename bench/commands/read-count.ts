/**
 * Numbers on the command line of a benchmark: there is nothing to measure about none of anything.
 */
import { UserError } from "../../src/shell/errors.ts";
import { readWholeNumber } from "../../src/shell/read-whole-number.ts";

export function readCount(option: string, text: string | undefined, byDefault: number): number {
  const value = text === undefined ? byDefault : readWholeNumber(option, text);
  if (value > 0) return value;
  throw new UserError("bad-usage", `${option}: found 0, expected at least 1.`);
}

export const readOptionalCount = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : readCount(option, text, 1);
