/**
 * A machine that could not take a replica, whatever its Node object says. Remembered with the
 * replica, so that the placement of its next incarnation knows, restarted or not, and forgotten
 * once an incarnation of it has come to run.
 */
export interface NodeRejection {
  readonly node: string;
  /** The incarnation that was turned away. */
  readonly incarnation: number;
}

/**
 * More nodes than these have turned it away: it is the ask that is wrong, and any of them may be
 * tried again.
 */
export const REJECTIONS_KEPT = 8;

/**
 * How long a replica stays away from a node that has turned it away, on the scheduler's own clock
 * from when it first looks for a node for a later incarnation. A minute is what an agent that is
 * mended needs to be started again, and little beside the delays of an index that keeps failing.
 */
export const AVOID_MS = 60_000;

/** With one more; of two by the same node the later counts. */
export function withRejection(
  rejections: readonly NodeRejection[] | undefined,
  next: NodeRejection,
): readonly NodeRejection[] {
  const others = (rejections ?? []).filter(({ node }) => node !== next.node);
  return [...others, next].slice(-REJECTIONS_KEPT);
}
