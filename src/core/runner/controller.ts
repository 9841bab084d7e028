/**
 * What the runner needs to know of a controller. Everything here is level-triggered: keys in, no
 * events.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Decision, Look } from "../protocol/decision.ts";
import type { Role } from "../model/actor.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Interest } from "../observe/interest.ts";
import type { View } from "../observe/view.ts";

/** A key in its turn, or one that is looked at ahead of its turn; the look is told which. */
export type Ordered = ObjectKey | { readonly ahead: ObjectKey };

export const keyOf = (ordered: Ordered): ObjectKey =>
  typeof ordered === "string" ? ordered : ordered.ahead;
export const isAhead = (ordered: Ordered): boolean => typeof ordered !== "string";

export interface Controller {
  readonly role: Role;
  readonly interest: Interest;
  /** Every change the view has folded, in order, before anything is decided on it. */
  follow?(change: Change, view: View): void;
  /** The keys whose conclusion this change may alter. */
  keysFor(change: Change, view: View): readonly ObjectKey[];
  /** Every key worth a look; the periodic resync walks these. */
  allKeys(view: View): Iterable<ObjectKey>;
  /** The order in which keys that are due are looked at; left out: as they came. Taken lazily. */
  order?(due: ReadonlySet<ObjectKey>, view: View): Iterable<Ordered>;
  reconcile(key: ObjectKey, view: View, look: Look): Decision;
}
