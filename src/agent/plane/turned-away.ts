/** An answer that is none: the server said something else than what was asked for, and perhaps when to ask again. */
import type { HttpAnswer } from "./http-caller.ts";
import { isPassingStatus } from "../../shell/retry-pause.ts";

/** As much of an answer as a log line needs. */
const SHOWN = 300;

export class TurnedAway extends Error {
  readonly retryAfterMs: number;
  /** It will pass: the server cannot keep up, or is not the one that leads. */
  readonly isPassing: boolean;

  constructor({ status, text, retryAfterMs }: HttpAnswer) {
    super(`it answered ${status}: ${text.slice(0, SHOWN)}`);
    this.name = "TurnedAway";
    this.retryAfterMs = retryAfterMs;
    this.isPassing = isPassingStatus(status);
  }
}
