/**
 * What a rollback of a policy takes back: bindings, and room that is held. The plan of the revision
 * that was left says what goes; nothing else does, and bindings only as fast as their workloads can
 * spare them (PY8).
 */
import { reservedUnder } from "../../model/reservation.ts";
import type { Evidence } from "../../model/evidence.ts";
import { policyKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { isBeyondRate, whyBindingStays, whyRoomStays } from "../../rules/left-policy.ts";
import { policyNameOf } from "../../observe/policy-in-force.ts";
import { type CommitContext, removed, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

type Rollback = Extract<Evidence, { kind: "policy-rollback" }>;

export function unwindUnsupported(
  { role, ledger, nowMs }: CommitContext,
  replica: Replica,
  evidence: Rollback,
): Rejection | undefined {
  if (role !== "unwind-policy") return reject("not-owner", replica.key, "unwind-policy", role);
  const { objects } = ledger;
  const { policyRevision } = replica.status;
  const named = notOf(replica, { evidence, revision: policyRevision, key: replica.key });
  if (named !== undefined) return named;
  const stays = whyBindingStays(objects, replica);
  if (stays !== undefined) {
    return reject("evidence-wrong", replica.key, "a replica that the plan evicts", stays);
  }
  return isBeyondRate(objects, replica, nowMs)
    ? reject("disruption-budget", replica.key, "some left", "none left")
    : undefined;
}

export function unwindRoom(
  { role, ledger }: CommitContext,
  held: Reservation,
  evidence: Rollback,
): Verdict {
  if (role !== "unwind-policy") return reject("not-owner", held.key, "unwind-policy", role);
  const { objects } = ledger;
  const owner = objects.replica(held.spec.owner);
  const revision = reservedUnder(held.spec);
  const named = notOf(owner, { evidence, revision, key: held.key });
  if (named !== undefined) return named;
  const stays = whyRoomStays(objects, held);
  return stays === undefined
    ? [removed(held)]
    : reject("evidence-wrong", held.key, "a replica that the plan evicts", stays);
}

/**
 * The evidence must be about the revision that it came of, and the policy that its workload names.
 */
function notOf(
  replica: Replica | undefined,
  {
    evidence,
    revision,
    key,
  }: {
    readonly evidence: Rollback;
    readonly revision: string | undefined;
    readonly key: Replica["key"];
  },
): Rejection | undefined {
  if (revision !== evidence.revision) {
    return reject("evidence-wrong", key, revision ?? "no revision", evidence.revision);
  }
  const policy = replica && policyKey(policyNameOf(replica.spec.template));
  return policy === evidence.policy
    ? undefined
    : reject("evidence-wrong", key, policy ?? "an owner", evidence.policy);
}
