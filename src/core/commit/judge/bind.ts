/**
 * The commitment point of placement. Everything a bind must not break is joined in this one check against
 * the truth; the scheduler's own look was only a guess.
 */
import { checkChosenDevices } from "../../feasibility/devices.ts";
import { firstMisfit } from "../../feasibility/feasibility.ts";
import { type Candidate, fieldOf } from "../../feasibility/misfit.ts";
import { nodeKey, workloadKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import type { IntentOf } from "../command.ts";
import { type Bench, missing, no, type No, removed, type Verdict, withStatus } from "../verdict.ts";
import { wantsSlot } from "./wanted.ts";

export function judgeBind(bench: Bench, intent: IntentOf<"bind">): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (bench.role !== "place") return no("not-owner", replica.key, "place", bench.role);
  const unfit = replicaUnfit(bench, replica, intent);
  if (unfit !== undefined) return unfit;
  const reservation = replica.status.reservation && objects.reservation(replica.status.reservation);
  if (!reservation || !isHeldFor(reservation, replica)) {
    return no("reservation-not-held", replica.key, `held for life ${intent.life}`, "none");
  }
  const node = objects.node(nodeKey(intent.node));
  if (node === undefined) return missing(nodeKey(intent.node));
  const candidate: Candidate = { node, use: objects.useOf(intent.node) };
  const ask = replica.spec.template.ask;
  const misfit =
    firstMisfit(candidate, ask)?.misfit ?? checkChosenDevices(candidate, ask, intent.deviceIds);
  if (misfit !== undefined) {
    return no(misfit.code, fieldOf(misfit), misfit.expected, misfit.actual);
  }
  // The reservation ends here, committed: its quota moves to the binding in the same commit (RS2).
  return [
    removed(reservation),
    withStatus(bench, replica, {
      stage: "bound",
      node: intent.node,
      session: node.status.session,
      deviceIds: intent.deviceIds,
      reservation: undefined,
    }),
  ];
}

function replicaUnfit(bench: Bench, replica: Replica, intent: IntentOf<"bind">): No | undefined {
  const { stage, life, node } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  if (holdsNode(stage)) return no("already-bound", replica.key, "no live binding", node ?? stage);
  if (stage !== "queued") return no("wrong-stage", replica.key, "queued", stage);
  const { workload: name, workloadUid, generation, slot } = replica.spec;
  const key = workloadKey(replica.meta.namespace, name);
  const wanted = wantsSlot(bench.ledger.objects.workload(key), {
    uid: workloadUid,
    generation,
    slot,
  });
  return wanted
    ? undefined
    : no("slot-not-wanted", key, "wanted", `slot ${slot} of generation ${generation}`);
}
