/**
 * How much a tenant may ask for at all, whatever its size (LB2, LB3): every workload and every
 * replica costs the plane memory and turns, however little CPU it wants. What makes a tenant's load
 * no greater is always accepted, so a tenant that is over a smaller count can get below it.
 */
import { commitmentsOf } from "../../kinds/commitments-of.ts";
import { leaderLeasesOf } from "../../kinds/leader-leases-of.ts";
import { secretsOf } from "../../kinds/secrets-of.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { SECRET_MOST } from "../../model/limits/secret-limits.ts";
import { type ObjectKey, parseKey, tenantKey } from "../../model/ids.ts";
import type { AnyObject, Commitment, LeaderLease, Secret } from "../../model/objects.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function tenantFull(
  { ledger: { objects } }: CommitContext,
  workload: ObjectKey,
  replicas: number,
): Rejection | undefined {
  const { namespace: tenant } = parseKey(workload);
  const held = objects.workload(workload);
  const load = objects.tenantLoad.of(tenant);
  const counts = objects.quotaUsage.of(tenant).spec?.counts;
  const { replicas: mostReplicas = LOAD_LIMITS.tenantReplicas.value } = counts ?? {};
  const { workloads: mostWorkloads = LOAD_LIMITS.tenantWorkloads.value } = counts ?? {};
  if (held === undefined && load.workloads + 1 > mostWorkloads) {
    const field = `${tenantKey(tenant)} workloads`;
    return reject("tenant-full", field, `at most ${mostWorkloads}`, load.workloads + 1);
  }
  const more = replicas - (held?.spec.replicas ?? 0);
  if (more <= 0 || load.replicas + more <= mostReplicas) return undefined;
  const field = `${tenantKey(tenant)} replicas`;
  return reject("tenant-full", field, `at most ${mostReplicas}`, load.replicas + more);
}

/** A renewal is no new one, so it is always accepted (AP324). */
export const tooManyLeaderLeases = (
  { ledger: { objects } }: CommitContext,
  held: LeaderLease | undefined,
  lease: ObjectKey,
): Rejection | undefined =>
  oneTooMany(held, leaderLeasesOf(objects, parseKey(lease).namespace), {
    of: lease,
    noun: "leaderleases",
    most: LOAD_LIMITS.tenantLeaderLeases.value,
  });

/** Each is reviewed again and again, so the namespace of the fleet is bounded like a tenant. */
export const tooManyCommitments = (
  { ledger: { objects } }: CommitContext,
  held: Commitment | undefined,
  commitment: ObjectKey,
): Rejection | undefined =>
  oneTooMany(held, commitmentsOf(objects, parseKey(commitment).namespace), {
    of: commitment,
    noun: "commitments",
    most: LOAD_LIMITS.tenantCommitments.value,
  });

export const tooManySecrets = (
  { ledger: { objects } }: CommitContext,
  held: Secret | undefined,
  secret: ObjectKey,
): Rejection | undefined =>
  oneTooMany(held, secretsOf(objects, parseKey(secret).namespace), {
    of: secret,
    noun: "secrets",
    most: SECRET_MOST.tenantSecrets,
  });

function oneTooMany(
  held: AnyObject | undefined,
  others: readonly AnyObject[],
  { of, noun, most }: { readonly of: ObjectKey; readonly noun: string; readonly most: number },
): Rejection | undefined {
  const after = others.length + 1;
  if (held !== undefined || after <= most) return undefined;
  const field = `${tenantKey(parseKey(of).namespace)} ${noun}`;
  return reject("tenant-full", field, `at most ${most}`, after);
}
