/**
 * What may be bound in a partitioned region, and what such a binding is (DG3, DG4). Beside
 * these every rule of an ordinary bind counts, and what its budget allows is checked with the other
 * budgets (BU5).
 */
import type { Node, Replica, ReplicaStatus } from "../../model/objects.ts";
import {
  partitionedText,
  marksOn,
  unreachedRecoveryBudget,
  whySensitive,
} from "../../rules/override/partitioned.ts";
import type { Binding } from "../../protocol/command.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** Undefined also where the region is not partitioned. */
export function keptFromPartitioned(
  { ledger, nowMs }: CommitContext,
  replica: Replica,
  { node, intent }: { readonly node: Node; readonly intent: Binding },
): Rejection | undefined {
  const { objects } = ledger;
  const { region } = node.spec;
  for (const mark of marksOn(objects, region, nowMs)) {
    const sensitive =
      whySensitive(objects, replica, region) ??
      unreachedRecoveryBudget(objects, mark, { budget: intent.budget, nowMs });
    if (sensitive !== undefined) {
      return reject(
        "region-partitioned",
        node.key,
        "a decision that the region can make alone",
        partitionedText(mark, sensitive),
      );
    }
  }
  return undefined;
}

/**
 * Planes that never had such a binding have no such field, and neither do the objects in their
 * logs.
 */
export function boundProvisionally(
  { ledger, nowMs }: CommitContext,
  { status }: Replica,
  { spec }: Node,
): Pick<ReplicaStatus, "provisional"> {
  const [mark] = marksOn(ledger.objects, spec.region, nowMs);
  if (mark === undefined) return status.provisional === undefined ? {} : { provisional: undefined };
  return { provisional: { override: mark.meta.name, sinceMs: nowMs, epoch: ledger.epoch } };
}
