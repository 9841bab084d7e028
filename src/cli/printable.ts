/**
 * Text that others have written, such as a reason or the last words of a process, made safe for a terminal: what would
 * move the cursor, change colours or begin a new line becomes a blank.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
