/**
 * The deadline of a drain. That it has passed is a commit of its own, checked on the authority's
 * clock: from then on who remains either stays, or is asked to stop beyond what its workload can
 * spare, as the drain says (MT3, MT4).
 */
import type { Evidence } from "../../model/evidence.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function checkDrainOver(context: CommitContext, intent: IntentOf<"drain-over">): Verdict {
  const node = context.ledger.objects.node(nodeKey(intent.node));
  if (node === undefined) return missing(nodeKey(intent.node));
  if (context.role !== "drain-node") {
    return reject("not-owner", node.key, "drain-node", context.role);
  }
  const { drain } = node.status;
  if (drain === undefined) return reject("drain-not-over", node.key, "a deadline", "none");
  if (drain.generation !== intent.generation) {
    return reject("generation-changed", `${node.key} drain`, intent.generation, drain.generation);
  }
  if (drain.overMs !== undefined) return reject("wrong-stage", node.key, "being drained", "over");
  const { ledger, nowMs, next } = context;
  // A later leadership knows only that the drain is no older than itself, and counts from its own
  // beginning.
  const sinceMs = drain.epoch === ledger.epoch ? drain.sinceMs : ledger.leadSinceMs;
  const leftMs = (node.spec.drain?.deadlineMs ?? 0) - (nowMs - sinceMs);
  if (leftMs > 0) return reject("drain-not-over", node.key, "its deadline", `${leftMs} ms left`);
  const after: Node = {
    ...node,
    meta: touched(node.meta, next),
    status: { ...node.status, drain: { ...drain, overMs: nowMs } },
  };
  return [changed(node, after)];
}

export function drainUnsupported(
  { role, ledger }: CommitContext,
  replica: Replica,
  { kind, node: name }: Extract<Evidence, { kind: "drain" | "drain-forced" }>,
): Rejection | undefined {
  if (role !== "drain-node") return reject("not-owner", replica.key, "drain-node", role);
  if (replica.status.node !== name) {
    return reject("evidence-wrong", replica.key, name, replica.status.node ?? "no node");
  }
  const node = ledger.objects.node(nodeKey(name));
  if (node?.spec.draining !== true) {
    return reject("evidence-wrong", nodeKey(name), "draining", "not draining");
  }
  const isOver = node.status.drain?.overMs !== undefined;
  const isForced = node.spec.drain?.atDeadline === "force";
  if (kind === "drain-forced") {
    if (!isForced) return reject("evidence-wrong", node.key, "drained by force", "not by force");
    return isOver ? undefined : reject("drain-not-over", node.key, "its deadline", "not passed");
  }
  // Replicas that remain at the deadline of such a drain stay.
  return isOver && !isForced
    ? reject("evidence-wrong", node.key, "draining", "stopped at its deadline")
    : undefined;
}
