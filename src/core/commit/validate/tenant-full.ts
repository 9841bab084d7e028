/**
 * How much a tenant may ask for at all, whatever its size (LB2, LB3): every workload and every
 * replica costs the plane memory and turns, however little CPU it wants. What makes a tenant's load
 * no greater is always accepted, so a tenant that is over a smaller count can get below it.
 */
import { roleBindingsOf, rolesOf } from "../../kinds/access-of.ts";
import { commitmentsOf } from "../../kinds/commitments-of.ts";
import { leaderLeasesOf } from "../../kinds/leader-leases-of.ts";
import { secretsOf } from "../../kinds/secrets-of.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
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
/** Those of all tenants are in the memory of every plane, so they are bounded together, too. */
export function tooManyRoles(
  { ledger: { objects } }: CommitContext,
  held: AnyObject | undefined,
  role: ObjectKey,
): Rejection | undefined {
  const { namespace: tenant } = parseKey(role);
  const all = objects.all("Role").size + objects.all("ClusterRole").size;
  return (
    (tenant === "" ? undefined : tooManyOfTenant(held, rolesOf(objects, tenant), role, ROLES)) ??
    tooManyOfPlane(held, all, { noun: "roles", most: ACCESS_LIMITS.roles.value })
  );
}

export function tooManyBindings(
  { ledger: { objects } }: CommitContext,
  held: AnyObject | undefined,
  binding: ObjectKey,
): Rejection | undefined {
  const { namespace: tenant } = parseKey(binding);
  const all = objects.all("RoleBinding").size + objects.all("ClusterRoleBinding").size;
  const own = tenant === "" ? [] : roleBindingsOf(objects, tenant);
  return (
    (tenant === "" ? undefined : tooManyOfTenant(held, own, binding, BINDINGS)) ??
    tooManyOfPlane(held, all, { noun: "role bindings", most: ACCESS_LIMITS.bindings.value })
  );
}

const ROLES = { noun: "roles", most: ACCESS_LIMITS.tenantRoles.value } as const;
const BINDINGS = { noun: "rolebindings", most: ACCESS_LIMITS.tenantBindings.value } as const;

interface Most {
  readonly noun: string;
  readonly most: number;
}

const tooManyOfTenant = (
  held: AnyObject | undefined,
  others: readonly AnyObject[],
  of: ObjectKey,
  most: Most,
): Rejection | undefined => oneTooMany(held, others, { of, ...most });

function tooManyOfPlane(
  held: AnyObject | undefined,
  count: number,
  { noun, most }: Most,
): Rejection | undefined {
  if (held !== undefined || count < most) return undefined;
  return reject("tenant-full", `plane ${noun}`, `at most ${most}`, count + 1);
}

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
