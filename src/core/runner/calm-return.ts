/**
 * Turns a change into the keys that it wakes. What an override held back is not woken at once when
 * it changes or ends: hundreds of workloads may have waited for the one moment, and would all ask
 * for the same room in it. Each gets its own time within a window, drawn from its key; whatever
 * else wakes it meanwhile does so as ever (OV12). That is also so of what an override makes true
 * beside itself: who waits for a recovery budget takes one that is raised as it takes one that is
 * granted, at once (BU9).
 */
import { calmDelayMs } from "../rules/override/calm-delay.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Turn } from "../protocol/turn.ts";
import type { ObjectKey } from "../model/ids.ts";
import { factsOf, objectFact } from "../observe/facts.ts";
import type { OwedLedger } from "./owed-ledger.ts";

export function wake(
  waits: OwedLedger,
  change: Change,
  { touched, turn }: { readonly touched: Set<ObjectKey>; readonly turn: Turn },
): void {
  const isOverride = (change.after ?? change.before)?.kind === "Override";
  for (const fact of factsOf(change)) {
    const isCalm = isOverride && fact === objectFact(change.key);
    if (!isCalm) for (const key of waits.wokenBy(fact)) touched.add(key);
    // A copy: postponed keys are entered anew.
    else for (const key of [...waits.wokenBy(fact)].toSorted()) putOff(waits, key, turn);
  }
}

function putOff(waits: OwedLedger, key: ObjectKey, turn: Turn): void {
  const owed = waits.get(key);
  if (owed === undefined) return;
  const atMs = turn.now + calmDelayMs(key, turn);
  if (atMs < owed.deadlineMs) waits.owe({ ...owed, deadlineMs: atMs });
}
