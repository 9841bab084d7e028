/** An outcome in one word: `committed`, `duplicate`, or the code of the no. */
import type { Outcome } from "../../src/core/commit/outcome.ts";
import type { RefusalCode } from "../../src/core/commit/refusals.ts";

export const codeOf = (outcome: Outcome): RefusalCode | "committed" | "duplicate" =>
  "code" in outcome ? outcome.code : outcome.kind;
