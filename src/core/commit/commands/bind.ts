/**
 * The commitment point of placement. Everything a bind must not break is joined in this one check
 * against the truth; the scheduler's own look was only a guess.
 */
import { roomOf } from "../../model/reservation.ts";
import { checkChosenDevices } from "../../rules/feasibility/devices.ts";
import { firstMisfit, neighbourMisfit } from "../../rules/feasibility/feasibility.ts";
import { type Candidate, fieldOf, type Misfit } from "../../rules/feasibility/misfit.ts";
import { Neighbourhood } from "../../rules/feasibility/neighbourhood.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Node, Replica, ReplicaStatus, Reservation } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { wantsIndex } from "../../model/wanted-indexes.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { isRecovering } from "../../model/recovery.ts";
import { leaving, roomFor, useAfter, withoutHolds } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { revisionInForce } from "../../observe/policy-in-force.ts";
import { secretText } from "../../model/secret/secret-refs.ts";
import { missingSecret } from "../../rules/secrets/missing-secret.ts";
import { isSpare } from "../../rules/recovery/spare-rooms.ts";
import type { NodeUse } from "../../observe/usage.ts";
import type { Binding, IntentOf } from "../../protocol/command.ts";
import {
  type CommitContext,
  isRejection,
  missing,
  removed,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { type CheckedBind, unpaid } from "../checks/bind-budget.ts";
import { boundProvisionally, keptFromPartitioned } from "../checks/partitioned.ts";
import { gangIncomplete } from "../checks/gang.ts";
import { RegionQuota } from "../checks/region-quota.ts";

export function checkBind(context: CommitContext, intent: IntentOf<"bind">): Verdict {
  const { objects } = context.ledger;
  const replica = objects.replica(intent.replica);
  if (replica === undefined) return missing(intent.replica);
  const neighbours = new Neighbourhood(objects.neighbours);
  const use = objects.useOf(intent.node);
  const verdict = checkBinding(context, replica, intent, { use, neighbours, checked: NONE_BEFORE });
  if (isRejection(verdict)) return verdict;
  return (
    new RegionQuota(objects).exceededBy(replica, intent.node) ??
    gangIncomplete(context, [replica]) ??
    verdict
  );
}

/** What is there by the time of a binding: earlier ones of the same command count. */
export interface Surroundings {
  readonly use: NodeUse;
  readonly neighbours: Neighbourhood;
  readonly checked: readonly CheckedBind[];
}

const NONE_BEFORE: readonly CheckedBind[] = [];

export function checkBinding(
  context: CommitContext,
  replica: Replica,
  intent: Binding,
  { use, neighbours, checked }: Surroundings,
): Verdict {
  const { objects } = context.ledger;
  if (context.role !== "place") return reject("not-owner", replica.key, "place", context.role);
  const unfit = replicaUnfit(context, replica, intent) ?? lacksSecret(objects, replica);
  if (unfit !== undefined) return unfit;
  const node = objects.nodeNamed(intent.node);
  if (node === undefined) return missing(nodeKey(intent.node));
  const spare = intent.spare === undefined ? undefined : spareFor(context, replica, intent);
  if (spare !== undefined && "code" in spare) return spare;
  const left = spare === undefined ? use : withoutHolds(use, ({ key }) => key === spare.key);
  const candidate: Candidate = { node, use: left };
  const ask = replica.spec.template.ask;
  const unsteered = againstPolicy(context, replica, { node, intent, checked });
  if (unsteered !== undefined) return unsteered;
  const misfit =
    firstMisfit(candidate, ask)?.misfit ??
    neighbourMisfit(node, replica, neighbours) ??
    checkChosenDevices(candidate, ask, intent.deviceIds) ??
    heldMisfit(objects, candidate, { replica, deviceIds: intent.deviceIds });
  if (misfit !== undefined) {
    return reject(misfit.code, fieldOf(misfit), misfit.expected, misfit.actual);
  }
  const room = roomFor(objects, replica);
  return [
    // Wherever it went: room that is held for it is wanted no more (PE7).
    ...(room === undefined ? [] : [removed(room)]),
    ...(spare === undefined ? [] : [removed(spare)]),
    withStatus(context, replica, {
      stage: "bound",
      node: intent.node,
      lastNode: intent.node,
      session: node.status.session,
      deviceIds: intent.deviceIds,
      ...boundUnder(replica, intent),
      ...boundProvisionally(context, replica, node),
    }),
  ];
}

function lacksSecret(objects: ObjectIndex, replica: Replica): Rejection | undefined {
  const lacked = missingSecret(objects, replica);
  return lacked && reject("secret-missing", replica.key, secretText(lacked), "(none)");
}

/**
 * What people and policies have said of the place: decided under another revision, cut off, or not
 * paid for.
 */
function againstPolicy(
  context: CommitContext,
  replica: Replica,
  asked: Pick<Surroundings, "checked"> & { readonly node: Node; readonly intent: Binding },
): Rejection | undefined {
  const kept =
    policyMoved(context.ledger.objects, replica, asked) ??
    keptFromPartitioned(context, replica, asked);
  if (kept !== undefined) return kept;
  const { budget, spare } = asked.intent;
  return budget === undefined && spare === undefined ? undefined : unpaid(context, replica, asked);
}

/**
 * Planes without policies or budgets have no such fields, and neither do the objects in their logs.
 */
function boundUnder(
  { status }: Replica,
  { policyRevision, budget }: Binding,
): Pick<ReplicaStatus, "policyRevision" | "budget"> {
  const isNamed = policyRevision !== undefined || status.policyRevision !== undefined;
  const isPaid = budget !== undefined || status.budget !== undefined;
  if (!isPaid) return isNamed ? { policyRevision } : {};
  return isNamed ? { policyRevision, budget } : { budget };
}

/** A decision under a revision that is no longer active there is made again (PY5). */
export function policyMoved(
  objects: ObjectIndex,
  { key, spec }: Replica,
  { node, intent }: { readonly node: Node; readonly intent: Binding },
): Rejection | undefined {
  const now = revisionInForce(objects, spec.template, node.spec.region);
  return now === intent.policyRevision
    ? undefined
    : reject("policy-moved", key, now ?? "no revision", intent.policyRevision ?? "no revision");
}

/**
 * Room that is kept for a workload is for what it has lost, and for nothing that it never had
 * (RV4).
 */
function spareFor(
  context: CommitContext,
  replica: Replica,
  intent: Binding,
): Reservation | Rejection {
  const { objects } = context.ledger;
  const held = objects.reservation(intent.spare ?? intent.replica);
  const key = workloadOf(replica);
  const isIts =
    held !== undefined &&
    isSpare(held) &&
    held.spec.owner === key &&
    held.spec.ownerUid === replica.spec.workloadUid &&
    roomOf(held.spec)?.node === intent.node;
  if (!isIts) {
    return reject("reservation-not-held", intent.spare ?? key, `kept for ${key}`, "not there");
  }
  return isRecovering(objects.workload(key))
    ? held
    : reject("reservation-not-held", held.key, "a recovery in progress", "none");
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

/** Why this incarnation of the replica cannot be placed at all, wherever. */
export function replicaUnfit(
  context: CommitContext,
  replica: Replica,
  intent: Binding,
): Rejection | undefined {
  const { stage, incarnation, node } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  if (holdsNode(stage)) {
    return reject("already-bound", replica.key, "no live binding", node ?? stage);
  }
  if (stage !== "queued") return reject("wrong-stage", replica.key, "queued", stage);
  const { workloadUid, generation, index } = replica.spec;
  const key = workloadOf(replica);
  const wanted = wantsIndex(context.ledger.objects.workload(key), {
    uid: workloadUid,
    generation,
    index,
  });
  return wanted
    ? undefined
    : reject("index-not-wanted", key, "wanted", `index ${index} of generation ${generation}`);
}
