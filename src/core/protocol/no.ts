/** Why a command is not carried out: a code of the registry, and the field that differs from what it should be. */
import type { RefusalCode } from "./refusals.ts";

export interface No {
  readonly code: RefusalCode;
  readonly field: string;
  readonly expected: string | number;
  readonly actual: string | number;
}

export const no = (
  code: RefusalCode,
  field: string,
  expected: string | number,
  actual: string | number,
): No => ({ code, field, expected, actual });
