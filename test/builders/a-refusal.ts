/** A no of the authority, as the runner passes it on. */
import type { Refusal } from "../../src/core/protocol/outcome.ts";
import { REFUSALS, type RefusalCode } from "../../src/core/protocol/refusals.ts";

export function aRefusal(code: RefusalCode, of: Partial<Refusal> = {}): Refusal {
  const { kind, rule } = REFUSALS[code];
  return { kind, code, rule, field: "", expected: "", actual: "", revision: 11, ...of };
}
