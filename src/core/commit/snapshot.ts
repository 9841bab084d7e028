/** Takes a snapshot of the ledger, and makes a ledger of one. */
import type { Snapshot } from "../protocol/snapshot.ts";
import type { AnyObject } from "../model/objects.ts";
import { KINDS } from "../model/ids.ts";
import { Ledger } from "./ledger.ts";

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
