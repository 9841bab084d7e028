/**
 * A response that is not the expected one, with the time after which the server asks to be tried
 * again.
 */
import type { HttpAnswer } from "../../shell/http-caller.ts";
import { isPassingStatus } from "../../shell/retry-pause.ts";

/** As much of a response as a log line needs. */
const SHOWN = 300;

export class TurnedAway extends Error {
  readonly status: number;
  readonly retryAfterMs: number;
  /** It will pass: the server cannot keep up, or is not the one that leads. */
  readonly isPassing: boolean;

  constructor(answer: HttpAnswer) {
    super(answerText(answer));
    this.name = "TurnedAway";
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
    this.isPassing = isPassingStatus(answer.status);
  }
}

/**
 * The status and the server's own sentence; a proxy may answer with something else than a
 * Kubernetes Status.
 */
export function answerText({ status, text }: Pick<HttpAnswer, "status" | "text">): string {
  const said = messageIn(text) ?? text.trim();
  return `HTTP ${status}${said === "" ? "" : `: ${said.slice(0, SHOWN).replace(/\.$/, "")}`}`;
}

function messageIn(text: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(text) as { readonly kind?: string; message?: unknown };
    return kind === "Status" && typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}
