/** How long a selector may be: each requirement is asked of every object of a list. */
import { ApiError } from "../errors.ts";
import { BODY } from "../http/body-limits.ts";

export function checkSelectorLength(text: string): void {
  if (text.length <= BODY.selectorBytes) return;
  throw new ApiError(
    "bad-selector",
    `It has ${text.length} characters; at most ${BODY.selectorBytes} are read.`,
  );
}

export function checkSelectorTerms(terms: readonly string[]): void {
  if (terms.length <= BODY.selectorTerms) return;
  throw new ApiError(
    "bad-selector",
    `It has ${terms.length} requirements, or values in one; at most ${BODY.selectorTerms} are read.`,
  );
}
