/** What the runner remembers of a key between looks. */
import type { Refusal } from "../protocol/outcome.ts";
import type { ObjectKey, Revision } from "../model/ids.ts";

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

export class KeyStates {
  /** Keys that wait for the view to show their own write. */
  readonly behind = new Set<ObjectKey>();
  private readonly states = new Map<ObjectKey, KeyState>();

  get(key: ObjectKey): KeyState | undefined {
    return this.states.get(key);
  }

  of(key: ObjectKey): KeyState {
    let state = this.states.get(key);
    if (state === undefined) {
      state = newKeyState();
      this.states.set(key, state);
    }
    return state;
  }

  forget(key: ObjectKey): void {
    this.states.delete(key);
  }

  isInFlight(key: ObjectKey): boolean {
    return (this.states.get(key)?.inFlight ?? 0) > 0;
  }

  /** Adds the keys whose own write a view of this revision shows. */
  addShown(revision: Revision, to: Set<ObjectKey>): void {
    for (const key of this.behind) {
      if ((this.states.get(key)?.ownWrite ?? 0) <= revision) to.add(key);
    }
  }
}
