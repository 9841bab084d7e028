/** Every kind of the API, and the ways to find one by what a client calls it. */
import { ALL_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import type { Kind } from "../../core/model/ids.ts";
import type { WrittenKind } from "../../core/protocol/command.ts";
import type { ApiKind } from "../api-kind.ts";
import { autoscalerKind } from "./autoscaler.ts";
import { commitmentKind } from "./commitment.ts";
import { recoveryBudgetKind } from "./recovery-budget.ts";
import { grantKind } from "./grant.ts";
import { leaseKind } from "./lease.ts";
import { nodeKind } from "./node.ts";
import { nodePoolKind } from "./node-pool.ts";
import { overrideKind } from "./override.ts";
import { planeKind } from "./plane.ts";
import { policyKind } from "./policy.ts";
import { policyRevisionKind } from "./policy-revision.ts";
import { quotaKind } from "./quota.ts";
import { regionKind } from "./region.ts";
import { replicaKind } from "./replica.ts";
import { reservationKind } from "./reservation.ts";
import { clusterRoleBindingKind, roleBindingKind } from "./role-bindings.ts";
import { secretKind } from "./secret.ts";
import { showKind } from "./show-kind.ts";
import { sloKind } from "./slo.ts";
import { workloadKind } from "./workload.ts";

/** Those that show more than their definition says; all others follow from it. */
const OWN_KINDS: Readonly<Partial<Record<Kind, ApiKind>>> = {
  Autoscaler: autoscalerKind,
  ClusterRoleBinding: clusterRoleBindingKind,
  Commitment: commitmentKind,
  RecoveryBudget: recoveryBudgetKind,
  Grant: grantKind,
  Lease: leaseKind,
  Node: nodeKind,
  NodePool: nodePoolKind,
  Override: overrideKind,
  Plane: planeKind,
  Policy: policyKind,
  PolicyRevision: policyRevisionKind,
  Quota: quotaKind,
  Region: regionKind,
  Replica: replicaKind,
  Reservation: reservationKind,
  RoleBinding: roleBindingKind,
  Secret: secretKind,
  Slo: sloKind,
  Workload: workloadKind,
};

/** In the order in which discovery lists them, which is that of their definitions. */
export const ALL_KINDS: readonly ApiKind[] = ALL_DEFINITIONS.map(
  ({ kind }) => OWN_KINDS[kind] ?? showKind({ kind: kind as WrittenKind }),
);

const byPlural = new Map(ALL_KINDS.map((kind) => [kind.plural, kind]));
const byKind = new Map<string, ApiKind>(ALL_KINDS.map((kind) => [kind.kind, kind]));
const byAnyName = new Map(
  ALL_KINDS.flatMap((kind) =>
    [kind.plural, kind.singular, ...kind.shortNames].map((name) => [name, kind] as const),
  ),
);

/** By the word in a path: `workloads`. */
export const kindByPlural = (plural: string): ApiKind | undefined => byPlural.get(plural);
/** By the word in an object: `Workload`. */
export const kindByName = (kind: string): ApiKind | undefined => byKind.get(kind);
/** By what a person types: `wl`, `workload` or `workloads`, in any case. */
export const kindByAnyName = (word: string): ApiKind | undefined =>
  byAnyName.get(word.toLowerCase());
