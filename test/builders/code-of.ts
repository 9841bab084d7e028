/** An outcome in one word: `committed`, `duplicate`, or the code of the no. */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { RefusalCode } from "../../src/core/protocol/refusals.ts";

export const codeOf = (outcome: Outcome): RefusalCode | "committed" | "duplicate" =>
  "code" in outcome ? outcome.code : outcome.kind;
