/**
 * One request to a provisioner, until it is known what became of it. A doubtful request is repeated
 * under the same key, a few times and each time later; then it is called a failure, and what that
 * means is for the authority.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ProvisionAnswer, Provisioner, ProvisionRequest } from "./provision-protocol.ts";

/**
 * With the time-out of a request, a provisioner that hangs is called failed within a few minutes.
 */
const TRIES = 3;
/**
 * A provisioner that is being restarted is there again by the second try, and surely by the third.
 */
export const FIRST_PAUSE_MS = 2_000;
/** What a server may ask for; more is no pause but a no. */
const LONGEST_PAUSE_MS = 30_000;

export interface Errand {
  readonly provisioner: Provisioner;
  readonly request: ProvisionRequest;
  /** The plane stops, or leads no more: the next leader asks. */
  readonly signal: AbortSignal;
  /** Whether the request is still wanted, looked at before every try. */
  readonly isWanted: () => boolean;
  readonly onAnswer: (answer: ProvisionAnswer) => void;
  readonly firstPauseMs?: number;
}

export type ErrandEnd =
  | { readonly kind: "accepted" }
  /** `isCertain`: nothing was done. Otherwise it may have been, in part or late. */
  | { readonly kind: "failed"; readonly reason: string; readonly isCertain: boolean }
  /** The answer is not needed any more. */
  | { readonly kind: "dropped" };

export async function runErrand(of: Errand): Promise<ErrandEnd> {
  const { provisioner, request, signal, isWanted, onAnswer } = of;
  for (let tries = 1; ; tries += 1) {
    if (signal.aborted || !isWanted()) return { kind: "dropped" };
    const answer = await provisioner.ask(request, signal);
    if (signal.aborted) return { kind: "dropped" };
    onAnswer(answer);
    if (answer.kind === "accepted") return answer;
    if (answer.kind === "refused") {
      return { kind: "failed", reason: answer.reason, isCertain: true };
    }
    if (tries === TRIES) {
      const reason = `${answer.reason} (tried ${TRIES} times)`;
      return { kind: "failed", reason, isCertain: false };
    }
    const pauseMs = pauseAfter(tries, of.firstPauseMs ?? FIRST_PAUSE_MS, answer.afterMs);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/**
 * Twice as long each time and never at the same moment as others, nor sooner than it was asked for.
 */
function pauseAfter(tries: number, firstMs: number, askedMs = 0): number {
  const fullMs = firstMs * 2 ** (tries - 1);
  const jitter = 0.5 + Math.random() / 2;
  return Math.min(LONGEST_PAUSE_MS, Math.max(fullMs * jitter, askedMs));
}
