/**
 * What the authority asks of a put besides what is true of every object of its kind: whether this
 * sender may make this change now, and with which status the object begins or goes on. A kind that
 * is not in the table asks nothing beyond its definition, and begins with an empty status; one
 * whose status has fields does not compile without an entry.
 */
import { leaseKey, type ObjectKey } from "../../model/ids.ts";
import type { NodeStatus, ObjectOf, PriorityClassSpec } from "../../model/objects.ts";
import { preemptionCycle } from "../../model/preemption.ts";
import { recoveryAfterPut } from "../../model/recovery.ts";
import type { PutOf, WrittenKind } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { bindingUnfit, roleRefFixed, roleUnfit } from "../checks/access.ts";
import { autoscalerStatusAfter, workloadTaken } from "../checks/autoscaler.ts";
import {
  recoveryBudgetStatusAfter,
  recoveryBudgetUnfit,
  firstRecoveryBudgetStatus,
} from "../checks/recovery-budget.ts";
import { drainAfter, heldByAnother } from "../checks/holds.ts";
import { nextTemplate } from "../checks/next-template.ts";
import { firstOverrideStatus, overrideStatusAfter, overrideUnfit } from "../checks/override.ts";
import { planeUnfit, regionStatusAfter, servedElsewhere } from "../checks/region-ownership.ts";
import { poolFixed } from "../checks/pool-context.ts";
import { promisedToOthers } from "../validate/promised-to-others.ts";
import { completionsMoved } from "../validate/completions-moved.ts";
import { firstPolicyStatus, pointerFixed, revisionFixed } from "../validate/policy-puts.ts";
import { sealBroken, secretUnfit } from "../validate/secret-puts.ts";
import { tenantFull } from "../validate/tenant-full.ts";
import { countsUnknown } from "../validate/too-many-objects.ts";
import type { CommitContext } from "../verdict.ts";

export interface PutRules<K extends WrittenKind = WrittenKind> {
  /** Why it may not be put, checked on the new and the existing object. */
  unfit?(
    context: CommitContext,
    held: ObjectOf<K> | undefined,
    put: PutOf<K>,
  ): Rejection | undefined;
  /** Why this sender may not change the one that is there. */
  heldByAnother?(context: CommitContext, held: ObjectOf<K>, put: PutOf<K>): Rejection | undefined;
  /** Why the spec of the one that is there may not become another. */
  fixed?(held: ObjectOf<K>, put: PutOf<K>): Rejection | undefined;
  /** Left out: it begins with an empty status. */
  firstStatus?(context: CommitContext, put: PutOf<K>, name: string): ObjectOf<K>["status"];
  /** Left out: a put leaves the status as it is. */
  nextStatus?(
    context: CommitContext,
    held: ObjectOf<K>,
    put: PutOf<K>,
    generation: number,
  ): ObjectOf<K>["status"];
}

type PutRulesByKind = { readonly [K in WrittenKind]?: PutRules<K> } & {
  readonly [K in WithStatus]: PutRules<K> & Required<Pick<PutRules<K>, "firstStatus">>;
};

type MayBeEmpty<Status> = string extends keyof Status
  ? true
  : Partial<Status> extends Status
    ? true
    : false;

type WithStatus = {
  [K in WrittenKind]: MayBeEmpty<ObjectOf<K>["status"]> extends true ? never : K;
}[WrittenKind];

const PUT_RULES: PutRulesByKind = {
  Node: {
    unfit: (context, held, put) =>
      poolFixed(held, put) ?? servedElsewhere(context, held, put.desired.spec.region),
    heldByAnother,
    firstStatus: firstNodeStatus,
    nextStatus: (context, held, { desired: { spec } }, generation) =>
      drainAfter(context, held, { spec, generation }),
  },
  NodePool: {
    unfit: (context, held, put) => servedElsewhere(context, held, put.desired.spec.region),
  },
  Region: {
    unfit: planeUnfit,
    firstStatus: (context, put) => regionStatusAfter(context, undefined, put),
    nextStatus: regionStatusAfter,
  },
  PriorityClass: { unfit: (context, _, put) => endless(context, put) },
  Policy: { fixed: pointerFixed, firstStatus: firstPolicyStatus },
  PolicyRevision: { fixed: revisionFixed, firstStatus: ({ next }) => ({ madeAt: next }) },
  Override: {
    unfit: overrideUnfit,
    firstStatus: (context, { desired }) => firstOverrideStatus(context, desired.spec),
    nextStatus: (_, held, { desired }) => overrideStatusAfter(held, desired.spec),
  },
  RecoveryBudget: {
    unfit: recoveryBudgetUnfit,
    firstStatus: (context, { desired }) => firstRecoveryBudgetStatus(context, desired.spec),
    nextStatus: (_, held, { desired }) => recoveryBudgetStatusAfter(held, desired.spec),
  },
  Commitment: { unfit: (_, __, { key, desired }) => promisedToOthers(key, desired.spec) },
  Quota: { unfit: (_, __, { key, desired }) => countsUnknown(key, desired.spec) },
  Autoscaler: {
    // A replica that is stopping may outlive its workload's ownership; it must still be released.
    unfit: (context, held, { key, desired }) =>
      held?.meta.deletingMs === undefined ? workloadTaken(context, key, desired.spec) : undefined,
    nextStatus: (_, held, { desired }) => autoscalerStatusAfter(held, desired.spec),
  },
  Role: { unfit: roleUnfit },
  ClusterRole: { unfit: roleUnfit },
  RoleBinding: { unfit: bindingUnfit, fixed: roleRefFixed },
  ClusterRoleBinding: { unfit: bindingUnfit, fixed: roleRefFixed },
  Secret: { unfit: secretUnfit, fixed: sealBroken },
  Workload: {
    unfit: (context, held, { key, desired }) =>
      completionsMoved(held, desired) ?? tenantFull(context, key, desired.spec.replicas),
    firstStatus: () => ({ templateGeneration: 1 }),
    nextStatus: ({ nowMs }, held, { desired: { spec } }, generation) => {
      const { recovery: _, ...status } = nextTemplate(held, { spec, generation, nowMs });
      return { ...status, ...recoveryAfterPut(held, { ...held, spec }) };
    },
  },
};

/** Callers hand them what belongs to the kind that they asked for; the types cannot say so. */
export const putRulesOf = (kind: WrittenKind): PutRules => (PUT_RULES[kind] ?? {}) as PutRules;

/** Preemption cycles would evict endlessly (PE2). */
function endless({ ledger }: CommitContext, put: PutOf<"PriorityClass">): Rejection | undefined {
  const classes = new Map<ObjectKey, PriorityClassSpec>();
  for (const { key, spec } of ledger.objects.all("PriorityClass").values()) classes.set(key, spec);
  const cycle = preemptionCycle(classes.set(put.key, put.desired.spec));
  return cycle && reject("preemption-cycle", put.key, "no circle", cycle.join(" > "));
}

/**
 * Its agent has not connected yet, so nothing is placed there yet. Where a namesake went before its
 * replicas did, sessions are counted on: its agent goes on in its own, and anybody else's ends
 * theirs (OB9).
 */
function firstNodeStatus(
  context: CommitContext,
  { desired }: PutOf<"Node">,
  name: string,
): NodeStatus {
  const status: NodeStatus = {
    health: "unknown",
    healthSinceMs: context.nowMs,
    session: context.ledger.objects.lease(leaseKey(name))?.status.session ?? 0,
    evidence: undefined,
  };
  return drainAfter(context, { status }, { spec: desired.spec, generation: 1 });
}
