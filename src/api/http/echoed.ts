/**
 * Text of a request inside an error message: cut, so that no answer is as long as a hostile
 * request.
 */
import { BODY } from "./body-limits.ts";

export const echoed = (text: string, most: number = BODY.echoedCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;
