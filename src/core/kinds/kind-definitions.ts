/**
 * Every kind, and what follows from all of them together. The table is total: a kind without a
 * definition does not compile. Discovery and completion list kinds in its order, so what users work
 * with most comes first.
 */
import { assert } from "../model/assert.ts";
import type { Kind } from "../model/ids.ts";
import type { WrittenKind } from "../protocol/command.ts";
import { autoscalerDefinition } from "./autoscaler.ts";
import { clusterRoleBindingDefinition } from "./cluster-role-binding.ts";
import { clusterRoleDefinition } from "./cluster-role.ts";
import { commitmentDefinition } from "./commitment.ts";
import { recoveryBudgetDefinition } from "./recovery-budget.ts";
import type { Fields } from "./fields/field.ts";
import type {
  CommonDefinition,
  KindDefinition,
  SpecDefinition,
  WrittenDefinition,
  WrittenForm,
} from "./kind-definition.ts";
import { grantDefinition } from "./grant.ts";
import { leaderLeaseDefinition } from "./leader-lease.ts";
import { joinDefinition } from "./join.ts";
import { leaseDefinition } from "./lease.ts";
import { nodePoolDefinition } from "./node-pool.ts";
import { nodeDefinition } from "./node.ts";
import { overrideDefinition } from "./override.ts";
import { planeDefinition } from "./plane.ts";
import { policyRevisionDefinition } from "./policy-revision.ts";
import { policyDefinition } from "./policy.ts";
import { priorityClassDefinition } from "./priority-class.ts";
import { quotaDefinition } from "./quota.ts";
import { regionDefinition } from "./region.ts";
import { replicaDefinition } from "./replica.ts";
import { reservationDefinition } from "./reservation.ts";
import { secretDefinition } from "./secret.ts";
import { roleBindingDefinition } from "./role-binding.ts";
import { roleDefinition } from "./role.ts";
import { sloDefinition } from "./slo.ts";
import { tenantDefinition } from "./tenant.ts";
import { workloadDefinition } from "./workload.ts";
import { writtenFormOf } from "./written-form.ts";

const KIND_DEFINITIONS: { readonly [K in Kind]: KindDefinition<K> } = {
  Workload: workloadDefinition,
  Replica: replicaDefinition,
  Node: nodeDefinition,
  Region: regionDefinition,
  Tenant: tenantDefinition,
  Quota: quotaDefinition,
  PriorityClass: priorityClassDefinition,
  Policy: policyDefinition,
  PolicyRevision: policyRevisionDefinition,
  Slo: sloDefinition,
  Commitment: commitmentDefinition,
  Override: overrideDefinition,
  RecoveryBudget: recoveryBudgetDefinition,
  Autoscaler: autoscalerDefinition,
  NodePool: nodePoolDefinition,
  Reservation: reservationDefinition,
  Lease: leaseDefinition,
  Join: joinDefinition,
  LeaderLease: leaderLeaseDefinition,
  Secret: secretDefinition,
  Role: roleDefinition,
  RoleBinding: roleBindingDefinition,
  ClusterRole: clusterRoleDefinition,
  ClusterRoleBinding: clusterRoleBindingDefinition,
  Plane: planeDefinition,
  Grant: grantDefinition,
};

export const ALL_DEFINITIONS: readonly CommonDefinition[] = Object.values(KIND_DEFINITIONS);

export const definitionOf = (kind: Kind): CommonDefinition => KIND_DEFINITIONS[kind];

/** Undefined for a kind that only the control plane writes. */
export function writtenDefinitionOf(kind: Kind): WrittenDefinition | undefined {
  const definition = KIND_DEFINITIONS[kind];
  // Callers hand it what belongs to the kind that they asked for; the types cannot say so.
  return definition.writer === "people" ? (definition as WrittenDefinition) : undefined;
}

export const WRITTEN_DEFINITIONS: readonly WrittenDefinition[] = ALL_DEFINITIONS.flatMap(
  ({ kind }) => writtenDefinitionOf(kind) ?? [],
);

/** How people write a kind that defines its fields. Callers know the type of its spec. */
export function writtenFormOfKind(kind: WrittenKind): WrittenForm<object> {
  const spec = writtenDefinitionOf(kind)?.spec;
  assert(spec !== undefined, `${kind} does not define its fields.`);
  return writtenFormOf(spec as unknown as SpecDefinition<object>);
}

export const fieldsOf = (kind: WrittenKind): Fields => writtenFormOfKind(kind).fields;
