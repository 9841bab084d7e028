/** Something that must not be, and the sentence that says so. */

export const FINDINGS = [
  /** A write that was acknowledged is not in the log. */
  "lost-write",
  /** A read of the present that leaves out what was there before it began. */
  "stale-read",
  /** A client that was shown less than it was shown before, or than it asked for. */
  "went-back",
  /** A write that took effect before something that was over when it began. */
  "out-of-order",
  /** One revision of a key with two values. */
  "two-values",
  /** One request, two effects. */
  "duplicate-effect",
  /** A compare-and-set that overwrote what it had not been shown, or two that won against the same version. */
  "lost-update",
  /** A write that took effect where it could not. */
  "wrong-effect",
  /** A write that took effect after its sender was told that it did not. */
  "refused-took-effect",
  /** A change that nobody asked for, or before anybody did. */
  "unexplained",
  /** A request that was sent again under its key and answered otherwise. */
  "repeat-differs",
  /** A list of objects that were never there at the same time. */
  "torn-list",
  /** A watch that left a change out. */
  "watch-gap",
  /** A watch that told changes in another order than they were made. */
  "watch-order",
  /** A watch that told a change twice. */
  "watch-twice",
  /** A watch that told a change which is not in the log. */
  "watch-phantom",
  /** A write that no watch covers: nobody can say whether it is there. */
  "unwatched",
] as const;

export interface Finding {
  readonly kind: (typeof FINDINGS)[number];
  readonly text: string;
  /** When it was asked for, where a call is to blame. */
  readonly atMs?: number;
}
