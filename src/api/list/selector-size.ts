/** How long a selector may be: each requirement is asked of every object of a list. */
import { ApiError } from "../errors.ts";
import { BODY } from "../http/body-limits.ts";

export function checkSelectorLength(text: string): void {
  if (text.length <= BODY.selectorBytes) return;
  throw new ApiError(
    "bad-selector",
    `The selector has ${text.length} characters; the limit is ${BODY.selectorBytes}.`,
  );
}

export function checkSelectorTerms(terms: readonly string[]): void {
  if (terms.length <= BODY.selectorTerms) return;
  throw new ApiError(
    "bad-selector",
    `The selector has ${terms.length} requirements, or values in one; the limit is ${BODY.selectorTerms}.`,
  );
}
