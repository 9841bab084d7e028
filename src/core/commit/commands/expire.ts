/**
 * Ends an object, or a hold on it, whose time or owner is over. Each kind has its own evidence and
 * its own controller, and the committed state must match the evidence.
 */
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, missing, type Verdict } from "../verdict.ts";
import { checkSteady } from "../checks/flapping.ts";
import { expireBinding } from "../checks/access.ts";
import { expireOverride } from "../checks/override.ts";
import { expireRecoveryBudget } from "../checks/recovery-budget.ts";
import { expireLease } from "../checks/vanished.ts";
import { expireProvisioning } from "./provision.ts";

export function checkExpire(context: CommitContext, intent: IntentOf<"expire">): Verdict {
  const object = context.ledger.objects.get(intent.key);
  switch (object?.kind) {
    case "Override":
      return expireOverride(context, object, intent);
    case "RecoveryBudget":
      return expireRecoveryBudget(context, object, intent);
    case "RoleBinding":
    case "ClusterRoleBinding":
      return expireBinding(context, object, intent);
    case "Lease":
      return expireLease(context, object, intent);
    case "Node":
      return intent.evidence.kind === "provision-over"
        ? expireProvisioning(context, object, intent)
        : checkSteady(context, object, intent);
    default:
      return missing(intent.key);
  }
}
