/** The agent cannot run as it was asked to; the message says what to change. */
export class CannotRunError extends Error {
  override readonly name = "CannotRunError";
}
