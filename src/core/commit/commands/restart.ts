/**
 * A person deletes a replica: it is asked to stop and keeps everything until its agent says that
 * the process is gone. Its index is still wanted and begins again, as another object (ST90).
 */
import type { Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject } from "../../protocol/rejection.ts";
import { overBudget } from "../../rules/disruption.ts";
import { changed, type CommitContext, touched, type Verdict } from "../verdict.ts";
import { expectationBroken } from "./put.ts";

export function checkRestart(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"delete">,
): Verdict {
  const wrong = expectationBroken(replica, intent);
  if (wrong !== undefined) return wrong;
  const { key, meta, status } = replica;
  if (meta.deletingMs !== undefined) {
    return reject("being-deleted", key, "not being deleted", "being deleted");
  }
  // Of two that stand for one index, the plane has to choose the one that stays (DC5).
  if (status.superseded !== undefined)
    return reject("wrong-stage", key, "not replaced", "replaced");
  const { stage } = status;
  if (stage !== "failed" && !holdsNode(stage)) {
    return reject("wrong-stage", key, "on a node, or failed", stage);
  }
  const isAsked = stage === "failed" || status.stopping !== undefined;
  const over = isAsked
    ? undefined
    : overBudget(context.ledger.objects, [replica], { cause: "owed", nowMs: context.nowMs });
  if (over !== undefined) {
    return reject("disruption-budget", over.workload, "some left", "none left");
  }
  const stopping = { reason: "deleted", sinceMs: context.nowMs } as const;
  return [
    changed<Replica>(replica, {
      ...replica,
      meta: { ...touched(meta, context.next), deletingMs: context.nowMs },
      status: isAsked ? status : { ...status, stopping },
    }),
  ];
}
