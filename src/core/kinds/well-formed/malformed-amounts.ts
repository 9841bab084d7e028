/** Whole numbers of 0 or more: a negative amount would make capacity out of nothing (OB5). */
import { AMOUNT_NAMES, type Amounts } from "../../model/amounts.ts";
import type { Rejection } from "../../protocol/rejection.ts";

export type Bad = (field: string, expected: string, actual: string | number) => Rejection;

export const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

export function malformedAmounts(amounts: Amounts, field: string, bad: Bad): Rejection | undefined {
  for (const name of AMOUNT_NAMES) {
    if (!isCount(amounts[name])) {
      return bad(`${field}.${name}`, "a whole number, 0 or more", amounts[name]);
    }
  }
  return undefined;
}
