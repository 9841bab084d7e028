/**
 * Ends a replica in an orderly way. One that holds a node is asked to stop and keeps everything until its
 * agent says the process is gone; one that holds none ends at once.
 */
import { nodeKey, workloadKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode, ownerOf } from "../../model/stage.ts";
import type { IntentOf } from "../command.ts";
import {
  type Bench,
  FREED,
  missing,
  no,
  type No,
  removed,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { wantsSlot } from "./wanted.ts";

export function judgeEvict(bench: Bench, intent: IntentOf<"evict">): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  const { stage, life, stopping } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  const unsupported = evidenceUnsupported(bench, replica, intent);
  if (unsupported !== undefined) return unsupported;
  if (holdsNode(stage)) {
    if (stopping !== undefined) return no("wrong-stage", replica.key, "not stopping", "stopping");
    const reason = intent.evidence.kind === "drain" ? "drain" : "surplus";
    return [withStatus(bench, replica, { stopping: { reason, sinceMs: bench.nowMs } })];
  }
  const owner = ownerOf(stage, "released");
  if (owner === undefined) return no("wrong-stage", replica.key, "not at rest", stage);
  if (owner !== bench.role) return no("not-owner", replica.key, owner, bench.role);
  const ended = withStatus(bench, replica, { ...FREED, stage: "released" });
  const reservation = replica.status.reservation && objects.reservation(replica.status.reservation);
  return reservation ? [removed(reservation), ended] : [ended];
}

function evidenceUnsupported(
  bench: Bench,
  replica: Replica,
  intent: IntentOf<"evict">,
): No | undefined {
  const { evidence } = intent;
  const { objects } = bench.ledger;
  switch (evidence.kind) {
    case "surplus": {
      if (bench.role !== "admit") return no("not-owner", replica.key, "admit", bench.role);
      const { workload: name, workloadUid: uid, generation, slot } = replica.spec;
      const key = workloadKey(replica.meta.namespace, name);
      if (evidence.workload !== key)
        return no("evidence-wrong", replica.key, key, evidence.workload);
      const workload = objects.workload(key);
      return wantsSlot(workload, { uid, generation, slot })
        ? no("evidence-wrong", replica.key, "not wanted", "wanted")
        : undefined;
    }
    case "drain": {
      if (bench.role !== "drain-node")
        return no("not-owner", replica.key, "drain-node", bench.role);
      if (replica.status.node !== evidence.node) {
        return no("evidence-wrong", replica.key, evidence.node, replica.status.node ?? "no node");
      }
      const draining = objects.node(nodeKey(evidence.node))?.spec.draining === true;
      return draining
        ? undefined
        : no("evidence-wrong", nodeKey(evidence.node), "draining", "not draining");
    }
    default:
      return no("evidence-missing", replica.key, "surplus or drain", evidence.kind);
  }
}
