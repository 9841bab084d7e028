/**
 * The ledger as of one revision, so that a restart need not read the log from its beginning. Loading a
 * snapshot and folding the commits after it gives the same ledger as folding everything.
 */
import type { Epoch, Revision } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { KINDS } from "../model/ids.ts";
import type { KeptOperation } from "./known-operations.ts";
import { Ledger } from "./ledger.ts";
import type { PoolUsedAt } from "./pool-use.ts";
import type { PreemptedAt } from "./preempted-lately.ts";

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

export function takeSnapshot(ledger: Ledger): Snapshot {
  const { revision, epoch, leadSinceMs } = ledger;
  const objects = KINDS.flatMap((kind): AnyObject[] => [...ledger.objects.all(kind).values()]);
  const operations = [...ledger.operations.all()];
  const preempted = ledger.preempted.all();
  const poolUse = ledger.poolUse.all();
  return {
    revision,
    epoch,
    leadSinceMs,
    objects,
    operations,
    ...(preempted.length === 0 ? {} : { preempted: [...preempted] }),
    ...(poolUse.length === 0 ? {} : { poolUse }),
  };
}

export function restoreLedger(snapshot: Snapshot): Ledger {
  const ledger = new Ledger();
  ledger.restore(snapshot);
  return ledger;
}
