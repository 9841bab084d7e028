/**
 * The ledger as of one revision, so that a restart need not read the log from its beginning.
 * Loading a snapshot and folding the commits after it gives the same ledger as folding everything.
 */
import type { Epoch, OperationId, Revision } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import type { Commit } from "./commit-record.ts";
import type { OperationSpace } from "./operation-space.ts";

export interface KnownOperation {
  readonly revision: Revision;
  readonly command: Commit["command"];
}

/** `space` is left out for controllers, and by snapshots of earlier versions. */
export type KeptOperation = readonly [
  OperationId,
  KnownOperation & { readonly space?: OperationSpace },
];

export interface PoolUsedAt {
  readonly node: string;
  readonly atMs: number;
}

export interface PreemptedAt {
  readonly atMs: number;
  readonly victims: number;
}

export interface Snapshot {
  readonly revision: Revision;
  readonly epoch: Epoch;
  readonly leadSinceMs: number;
  readonly objects: readonly AnyObject[];
  /** Oldest first within each space: the order in which they will be forgotten. */
  readonly operations: readonly KeptOperation[];
  /** Left out when nothing was preempted lately. */
  readonly preempted?: readonly PreemptedAt[];
  /** Left out when nothing was on a node of a pool since the leadership began. */
  readonly poolUse?: readonly PoolUsedAt[];
}
