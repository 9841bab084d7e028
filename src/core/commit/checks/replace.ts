/**
 * Gives a slot up from a replica that may still run: its workload said so, and its node has been silent for as
 * long as it said (DC2). The replica keeps its node, its devices and its quota for as long as it may run; only the
 * slot is free for another.
 */
import { leaseKey, nodeKey, workloadKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { FENCE_AFTER_MS } from "../../model/timing.ts";
import { wantsSlot } from "../../model/wanted-slots.ts";
import { otherOf } from "../../observe/slot-replicas.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type Bench, type Verdict, withStatus } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { silenceMs } from "./silence.ts";

export function judgeReplace(
  bench: Bench,
  replica: Replica,
  { evidence }: IntentOf<"release">,
): Verdict {
  const { onDisconnect, replaceAfterMs } = replica.spec.template;
  if (onDisconnect !== "keep" || replaceAfterMs === undefined) {
    return no("keeps-running", replica.key, "onDisconnect keep with replaceAfter", onDisconnect);
  }
  const node = bench.ledger.objects.node(nodeKey(replica.status.node ?? ""));
  const unsupported =
    slotUnsupported(bench, replica) ??
    (node?.status.health === "fenced"
      ? replaceNotDue(bench, node, replica)
      : no("evidence-wrong", replica.key, "node fenced", node?.status.health ?? "no node"));
  if (unsupported !== undefined) return unsupported;
  return [withStatus(bench, replica, { superseded: { evidence, sinceMs: bench.nowMs } })];
}

function slotUnsupported({ ledger }: Bench, replica: Replica): No | undefined {
  const { workload: name, workloadUid: uid, generation, slot } = replica.spec;
  const key = workloadKey(replica.meta.namespace, name);
  if (!wantsSlot(ledger.objects.workload(key), { uid, generation, slot })) {
    return no("slot-not-wanted", key, "wanted", `slot ${slot} of generation ${generation}`);
  }
  // Two of one slot are what was asked for; three never are (DC3).
  const other = otherOf(ledger.objects, replica);
  if (other !== undefined) return no("already-replaced", replica.key, "no other", other.key);
  return replica.status.superseded === undefined
    ? undefined
    : no("already-replaced", replica.key, "not replaced", "replaced");
}

/** By the authority's own clock, and with a new leadership's full time like every silence (EV3). */
export function replaceNotDue(bench: Bench, node: Node, { key, spec }: Replica): No | undefined {
  const { replaceAfterMs } = spec.template;
  const lease = bench.ledger.objects.lease(leaseKey(node.meta.name));
  // A workload without replaceAfter does not wait: that the node was fenced is enough, under any leader.
  if (lease === undefined || replaceAfterMs === undefined) return undefined;
  const silentMs = silenceMs(bench.ledger, lease, bench.nowMs);
  const neededMs = Math.max(replaceAfterMs, FENCE_AFTER_MS);
  return silentMs >= neededMs
    ? undefined
    : no("replace-not-due", key, `node silent for ${neededMs} ms`, `${silentMs} ms`);
}
