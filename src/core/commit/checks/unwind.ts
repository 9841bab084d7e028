/**
 * What a rollback of a policy takes back: bindings, and room that is held. The plan of the revision that was left says
 * what goes; nothing else does, and bindings only as fast as their workloads can spare them (PY8).
 */
import type { Evidence } from "../../model/evidence.ts";
import { policyKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";
import { isBeyondPace, whyBindingStays, whyRoomStays } from "../../rules/left-policy.ts";
import { policyNameOf } from "../../observe/policy-in-force.ts";
import { type Bench, removed, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

type Rollback = Extract<Evidence, { kind: "policy-rollback" }>;

export function unwindUnsupported(
  { role, ledger, nowMs }: Bench,
  replica: Replica,
  evidence: Rollback,
): No | undefined {
  if (role !== "unwind-policy") return no("not-owner", replica.key, "unwind-policy", role);
  const { objects } = ledger;
  const { policyRevision } = replica.status;
  const named = notOf(replica, { evidence, revision: policyRevision, key: replica.key });
  if (named !== undefined) return named;
  const stays = whyBindingStays(objects, replica);
  if (stays !== undefined)
    return no("evidence-wrong", replica.key, "a replica that the plan evicts", stays);
  return isBeyondPace(objects, replica, nowMs)
    ? no("disruption-budget", replica.key, "some left", "none left")
    : undefined;
}

export function unwindRoom(
  { role, ledger }: Bench,
  held: Reservation,
  evidence: Rollback,
): Verdict {
  if (role !== "unwind-policy") return no("not-owner", held.key, "unwind-policy", role);
  const { objects } = ledger;
  const owner = objects.replica(held.spec.owner);
  const { policyRevision } = held.spec;
  const named = notOf(owner, { evidence, revision: policyRevision, key: held.key });
  if (named !== undefined) return named;
  const stays = whyRoomStays(objects, held);
  return stays === undefined
    ? [removed(held)]
    : no("evidence-wrong", held.key, "a replica that the plan evicts", stays);
}

/** The evidence must be about the revision that it came of, and the policy that its workload names. */
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
): No | undefined {
  if (revision !== evidence.revision) {
    return no("evidence-wrong", key, revision ?? "no revision", evidence.revision);
  }
  const policy = replica && policyKey(policyNameOf(replica.spec.template));
  return policy === evidence.policy
    ? undefined
    : no("evidence-wrong", key, policy ?? "an owner", evidence.policy);
}
