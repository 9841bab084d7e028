/**
 * Why a command is not carried out: a code of the registry, and the field that differs from what it
 * should be.
 */
import type { RefusalCode } from "./refusals.ts";

export interface Rejection {
  readonly code: RefusalCode;
  readonly field: string;
  readonly expected: string | number;
  readonly actual: string | number;
}

export const reject = (
  code: RefusalCode,
  field: string,
  expected: string | number,
  actual: string | number,
): Rejection => ({ code, field, expected, actual });
