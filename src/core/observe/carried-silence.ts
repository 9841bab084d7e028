/**
 * What earlier leaderships have committed of a silence that still lasts. Their times are on other
 * clocks, but a length that one of them measured and committed is over for good: the log has no
 * renewal after it. The times between two leaderships are measured by none and do not count.
 */
import type { Epoch } from "../model/ids.ts";
import type { Lease, Node } from "../model/objects.ts";

interface Told {
  readonly epoch: Epoch;
  readonly ownMs: number;
  readonly carriedMs: number;
}

/** Undefined once the node was heard again: the evidence is of an earlier silence. */
function toldOf({ status }: Node, lease: Lease): Told | undefined {
  const { evidence } = status;
  if (evidence?.kind !== "lease-expired") return undefined;
  const { silentMs, epoch, carriedMs = 0 } = evidence;
  // A version that did not keep the leadership cannot be added up.
  if (silentMs === undefined || epoch === undefined) return undefined;
  const isOfThis = evidence.session === lease.status.session && evidence.seq === lease.status.seq;
  return isOfThis ? { epoch, ownMs: silentMs, carriedMs } : undefined;
}

/** What to add to the silence that the leadership `epoch` measures itself (EV11). */
export function carriedSilenceMs(node: Node, lease: Lease, epoch: Epoch): number {
  const told = toldOf(node, lease);
  if (told === undefined) return 0;
  return told.epoch === epoch ? told.carriedMs : told.carriedMs + told.ownMs;
}

/** How much of its silence is committed, over all leaderships. */
export function committedSilenceMs(node: Node, lease: Lease): number {
  const told = toldOf(node, lease);
  return told === undefined ? 0 : told.carriedMs + told.ownMs;
}
