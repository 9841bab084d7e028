/**
 * Deletion is asked for once and happens when nothing depends on the object any more (OB3, OB4).
 * What a tenant owns goes with it: until then the tenant stays, marked, under a finalizer of the
 * plane's own (OB8).
 */
import { definitionOf } from "../../kinds/kind-definitions.ts";
import { tenantKey } from "../../model/ids.ts";
import type { AnyObject } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, missing, removed, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { checkRestart } from "./restart.ts";
import { ttlNotOver } from "./finish.ts";
import { mayNotWithdraw } from "../checks/recovery-budget.ts";
import { ownedByGlobal } from "../checks/region-ownership.ts";
import { stillOwned } from "../checks/owners.ts";
import { ownedByAnother } from "../checks/override.ts";
import { expectationBroken } from "./put.ts";
import { removal, stillUsed, withDependents } from "../validate/removal.ts";

export function checkDelete(context: CommitContext, intent: IntentOf<"delete">): Verdict {
  const held = context.ledger.objects.get(intent.key);
  if (held === undefined) return missing(intent.key);
  if (held.kind === "Replica" && context.role === "user") {
    return checkRestart(context, held, intent);
  }
  // A person may let a node's object go before its replicas have; what becomes of them is repaired
  // (OB9).
  const isOrphaning = intent.orphan === true && held.kind === "Node";
  const inUse = isOrphaning ? undefined : stillUsed(context, held);
  const wrong =
    expectationBroken(held, intent) ??
    ownedByGlobal(context, held.key) ??
    notTheirs(context, held, intent) ??
    (guardOf(held) === undefined ? inUse : undefined);
  if (wrong !== undefined) return wrong;
  // A replica that a person has deleted goes all the same if its index is not wanted any more.
  if (held.meta.deletingMs !== undefined && held.kind !== "Replica") {
    return reject("being-deleted", held.key, "not being deleted", "being deleted");
  }
  const guard = inUse === undefined ? undefined : guardOf(held);
  const finalizers =
    guard === undefined || held.meta.finalizers.includes(guard)
      ? held.meta.finalizers
      : [guard, ...held.meta.finalizers];
  if (finalizers.length === 0) {
    return isOrphaning ? withDependents(context, held).map(removed) : removal(context, held);
  }
  const meta = { ...touched(held.meta, context.next), finalizers, deletingMs: context.nowMs };
  return [{ key: held.key, before: held, after: { ...held, meta } }];
}

/** What keeps it, marked, until what it is in use for has ended (OB8, BU7). */
function guardOf({ kind }: AnyObject): string | undefined {
  const { guard } = definitionOf(kind);
  return guard?.from === "deletion" ? guard.finalizer : undefined;
}

function notTheirs(
  context: CommitContext,
  held: AnyObject,
  intent: IntentOf<"delete">,
): Rejection | undefined {
  const { deletedBy } = definitionOf(held.kind);
  if (deletedBy === undefined) {
    return reject(
      "not-owner",
      held.key,
      "no sender: a release or the removal of its node ends it",
      context.role,
    );
  }
  if (held.kind === "Override") return ownedByAnother(context, held);
  if (held.kind === "RecoveryBudget") return mayNotWithdraw(context, held);
  if (context.role === "collect-owned") return stillOwned(context, held, intent);
  if (context.role === "finish-batch") return ttlNotOver(context, held, intent.evidence);
  if (context.role === deletedBy || goesWithTenant(context, held)) return undefined;
  return reject("not-owner", held.key, deletedBy, context.role);
}

/** Only what belongs to a tenant that a person has deleted is a controller's to delete. */
function goesWithTenant({ ledger, role }: CommitContext, { kind, meta }: AnyObject): boolean {
  if (role !== "empty-tenant" || definitionOf(kind).goesWithTenant !== true) return false;
  return ledger.objects.get(tenantKey(meta.namespace))?.meta.deletingMs !== undefined;
}
