/** What a controller is given besides the view when it looks at a key. */
import type { Look } from "../protocol/decision.ts";
import type { Turn } from "../protocol/turn.ts";
import type { View } from "../observe/view.ts";
import type { KeyState } from "./key-state.ts";

export const lookOf = (
  state: KeyState | undefined,
  { view, turn, isAhead }: { readonly view: View; readonly turn: Turn; readonly isAhead: boolean },
): Look => ({
  now: turn.now,
  random: (site, subject) => turn.random(site, subject),
  feedback: state?.feedback.filter(({ revision }) => revision > view.revision) ?? [],
  failures: state?.failures ?? 0,
  isAhead,
});
