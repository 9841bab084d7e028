/**
 * Gives an index up from a replica that may still run: its workload said so, and its node has been
 * silent for as long as it said (DC2). The replica keeps its node, its devices and its quota for as
 * long as it may run; only the index is free for another.
 */
import { leaseKey, nodeKey, workloadKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { FENCE_AFTER_MS } from "../../model/timing.ts";
import { wantsIndex } from "../../model/wanted-indexes.ts";
import { otherOf } from "../../observe/index-replicas.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { silenceMs } from "./silence.ts";

export function checkReplace(
  context: CommitContext,
  replica: Replica,
  { evidence }: IntentOf<"release">,
): Verdict {
  const { onDisconnect, replaceAfterMs } = replica.spec.template;
  if (onDisconnect !== "keep" || replaceAfterMs === undefined) {
    return reject(
      "keeps-running",
      replica.key,
      "onDisconnect keep with replaceAfter",
      onDisconnect,
    );
  }
  const node = context.ledger.objects.node(nodeKey(replica.status.node ?? ""));
  const unsupported =
    indexUnsupported(context, replica) ??
    (node?.status.health === "fenced"
      ? replaceNotDue(context, node, replica)
      : reject("evidence-wrong", replica.key, "node fenced", node?.status.health ?? "no node"));
  if (unsupported !== undefined) return unsupported;
  return [withStatus(context, replica, { superseded: { evidence, sinceMs: context.nowMs } })];
}

function indexUnsupported({ ledger }: CommitContext, replica: Replica): Rejection | undefined {
  const { workload: name, workloadUid: uid, generation, index } = replica.spec;
  const key = workloadKey(replica.meta.namespace, name);
  if (!wantsIndex(ledger.objects.workload(key), { uid, generation, index })) {
    return reject("index-not-wanted", key, "wanted", `index ${index} of generation ${generation}`);
  }
  // Two of one index are what was asked for; three never are (DC3).
  const other = otherOf(ledger.objects, replica);
  if (other !== undefined) return reject("already-replaced", replica.key, "no other", other.key);
  return replica.status.superseded === undefined
    ? undefined
    : reject("already-replaced", replica.key, "not replaced", "replaced");
}

/** By the authority's own clock, and with a new leadership's full time like every silence (EV3). */
export function replaceNotDue(
  context: CommitContext,
  node: Node,
  { key, spec }: Replica,
): Rejection | undefined {
  const { replaceAfterMs } = spec.template;
  const lease = context.ledger.objects.lease(leaseKey(node.meta.name));
  // A workload without replaceAfter does not wait: that the node was fenced is enough, under any
  // leader.
  if (lease === undefined || replaceAfterMs === undefined) return undefined;
  const silentMs = silenceMs(context.ledger, lease, context.nowMs);
  const neededMs = Math.max(replaceAfterMs, FENCE_AFTER_MS);
  return silentMs >= neededMs
    ? undefined
    : reject("replace-not-due", key, `node silent for ${neededMs} ms`, `${silentMs} ms`);
}
