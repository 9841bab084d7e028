/**
 * The commitment point of placement. Everything a bind must not break is joined in this one check against
 * the truth; the scheduler's own look was only a guess.
 */
import { checkChosenDevices } from "../../feasibility/devices.ts";
import { firstMisfit, neighbourMisfit } from "../../feasibility/feasibility.ts";
import { type Candidate, fieldOf, type Misfit } from "../../feasibility/misfit.ts";
import { Neighbourhood } from "../../feasibility/neighbourhood.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { leaving, roomFor, useAfter } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { NodeUse } from "../../observe/usage.ts";
import type { Binding, IntentOf } from "../command.ts";
import {
  type Bench,
  isNo,
  missing,
  no,
  type No,
  removed,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { gangIncomplete } from "./gang.ts";
import { RegionQuota } from "./region-quota.ts";
import { wantsSlot } from "./wanted.ts";

export function judgeBind(bench: Bench, intent: IntentOf<"bind">): Verdict {
  const { objects } = bench.ledger;
  const neighbours = new Neighbourhood(objects.neighbours);
  const verdict = judgeBinding(bench, intent, { use: objects.useOf(intent.node), neighbours });
  if (isNo(verdict)) return verdict;
  return new RegionQuota(objects).exceededBy(intent) ?? gangIncomplete(bench, [intent]) ?? verdict;
}

/** What is there by the time of a binding: earlier ones of the same command count. */
export interface Surroundings {
  readonly use: NodeUse;
  readonly neighbours: Neighbourhood;
}

export function judgeBinding(
  bench: Bench,
  intent: Binding,
  { use, neighbours }: Surroundings,
): Verdict {
  const { objects } = bench.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  if (bench.role !== "place") return no("not-owner", replica.key, "place", bench.role);
  const unfit = replicaUnfit(bench, replica, intent);
  if (unfit !== undefined) return unfit;
  const node = objects.nodeNamed(intent.node);
  if (node === undefined) return missing(nodeKey(intent.node));
  const candidate: Candidate = { node, use };
  const ask = replica.spec.template.ask;
  const misfit =
    firstMisfit(candidate, ask)?.misfit ??
    neighbourMisfit(node, replica, neighbours) ??
    checkChosenDevices(candidate, ask, intent.deviceIds) ??
    heldMisfit(objects, candidate, { replica, deviceIds: intent.deviceIds });
  if (misfit !== undefined) {
    return no(misfit.code, fieldOf(misfit), misfit.expected, misfit.actual);
  }
  const room = roomFor(objects, replica);
  return [
    // Wherever it went: room that is held for it is wanted no more (PE7).
    ...(room === undefined ? [] : [removed(room)]),
    withStatus(bench, replica, {
      stage: "bound",
      node: intent.node,
      lastNode: intent.node,
      session: node.status.session,
      deviceIds: intent.deviceIds,
    }),
  ];
}

/** Room that is held for others is not free, even while those who make it are still there (PE6). */
function heldMisfit(
  objects: ObjectIndex,
  { node, use }: Candidate,
  { replica, deviceIds }: { readonly replica: Replica; readonly deviceIds: readonly string[] },
): Misfit | undefined {
  if (use.held.size === 0) return undefined;
  const later = { node, use: useAfter(use, leaving(objects, node.meta.name), replica) };
  const { ask } = replica.spec.template;
  return firstMisfit(later, ask)?.misfit ?? checkChosenDevices(later, ask, deviceIds);
}

/** Why this life of the replica cannot be placed at all, wherever. */
export function replicaUnfit(bench: Bench, replica: Replica, intent: Binding): No | undefined {
  const { stage, life, node } = replica.status;
  if (life !== intent.life) return no("wrong-life", replica.key, life, intent.life);
  if (holdsNode(stage)) return no("already-bound", replica.key, "no live binding", node ?? stage);
  if (stage !== "queued") return no("wrong-stage", replica.key, "queued", stage);
  const { workloadUid, generation, slot } = replica.spec;
  const key = workloadOf(replica);
  const wanted = wantsSlot(bench.ledger.objects.workload(key), {
    uid: workloadUid,
    generation,
    slot,
  });
  return wanted
    ? undefined
    : no("slot-not-wanted", key, "wanted", `slot ${slot} of generation ${generation}`);
}
