/** Deletion is asked for once and happens when nothing depends on the object any more (OB3, OB4). */
import type { AnyObject } from "../../model/objects.ts";
import type { IntentOf } from "../command.ts";
import { type Bench, missing, no, type No, touched, type Verdict } from "../verdict.ts";
import { expectationBroken } from "./put.ts";
import { removal, stillUsed } from "./removal.ts";

export function judgeDelete(bench: Bench, intent: IntentOf<"delete">): Verdict {
  const held = bench.ledger.objects.get(intent.key);
  if (held === undefined) return missing(intent.key);
  const wrong = expectationBroken(held, intent) ?? notTheirs(bench, held) ?? stillUsed(bench, held);
  if (wrong !== undefined) return wrong;
  if (held.meta.finalizers.length === 0) return removal(bench, held);
  if (held.meta.deletingMs !== undefined) {
    return no("being-deleted", held.key, "not being deleted", "being deleted");
  }
  const meta = { ...touched(held.meta, bench.next), deletingMs: bench.nowMs };
  return [{ key: held.key, before: held, after: { ...held, meta } }];
}

function notTheirs(bench: Bench, held: AnyObject): No | undefined {
  if (held.kind === "Reservation" || held.kind === "Lease") {
    return no("not-owner", held.key, "nobody: it ends by release or with its node", bench.role);
  }
  const owner = held.kind === "Replica" ? "admit" : "user";
  return bench.role === owner ? undefined : no("not-owner", held.key, owner, bench.role);
}
