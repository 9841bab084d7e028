/**
 * Turns a change into the keys that it wakes. What an override held back is not woken at once when it changes or ends:
 * hundreds of workloads may have waited for the one moment, and would all ask for the same room in it. Each gets its
 * own time within a window, drawn from its key; whatever else wakes it meanwhile does so as ever (OV12). That is also so
 * of what an override makes true beside itself: who waits for a recovery budget takes one that is raised as it takes one
 * that is granted, at once (BU9).
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Turn } from "../kernel/turn.ts";
import type { ObjectKey } from "../model/ids.ts";
import { factsOf, objectFact } from "../observe/facts.ts";
import type { OwedLedger } from "./owed-ledger.ts";

/** Long enough to tell a crowd apart, short enough that nobody takes it for being stuck. */
export const CALM_RETURN_MS = 10_000;

export function wake(
  waits: OwedLedger,
  change: Change,
  { touched, turn }: { readonly touched: Set<ObjectKey>; readonly turn: Turn },
): void {
  const isOverride = (change.after ?? change.before)?.kind === "Override";
  for (const fact of factsOf(change)) {
    const isCalm = isOverride && fact === objectFact(change.key);
    if (!isCalm) for (const key of waits.wokenBy(fact)) touched.add(key);
    // A copy: what is put off is entered anew.
    else for (const key of [...waits.wokenBy(fact)].toSorted()) putOff(waits, key, turn);
  }
}

/** How long after an override's end the key is looked at: always the same for the same key. */
export const calmDelayMs = (key: ObjectKey, drawn: Pick<Turn, "random">): number =>
  drawn.random("calm-return", key) % CALM_RETURN_MS;

function putOff(waits: OwedLedger, key: ObjectKey, turn: Turn): void {
  const owed = waits.get(key);
  if (owed === undefined) return;
  const atMs = turn.now + calmDelayMs(key, turn);
  if (atMs < owed.deadlineMs) waits.owe({ ...owed, deadlineMs: atMs });
}
