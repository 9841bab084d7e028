/** What the runner remembers of a key between looks. */
import type { Refusal } from "../protocol/outcome.ts";
import type { Revision } from "../model/ids.ts";

export interface KeyState {
  inFlight: number;
  /** The key changed while its operations were in flight. */
  dirty: boolean;
  failures: number;
  failedThisRound: boolean;
  /**
   * Nothing of the last round was answered: whatever is sent next for the key is a retry, under any
   * name.
   */
  isUnheard: boolean;
  /** The newest of our own commits about this key; older views would make us decide it again. */
  ownWrite: Revision;
  /** When to stop trusting the stream to bring our own write; 0 while nothing is awaited. */
  patienceEndsMs: number;
  feedback: readonly Refusal[];
}

export const newKeyState = (): KeyState => ({
  inFlight: 0,
  dirty: false,
  failures: 0,
  failedThisRound: false,
  isUnheard: false,
  ownWrite: 0,
  patienceEndsMs: 0,
  feedback: [],
});
