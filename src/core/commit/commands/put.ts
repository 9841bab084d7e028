/** Writes what somebody wants. Status is never theirs to write; it is kept or begun here. */
import { assert } from "../../model/assert.ts";
import {
  leaseKey,
  type ObjectKey,
  parseKey,
  policyRevisionKey,
  tenantKey,
  type Uid,
} from "../../model/ids.ts";
import type {
  AnyObject,
  Meta,
  NodeStatus,
  PriorityClassSpec,
  WorkloadStatus,
} from "../../model/objects.ts";
import { preemptionCycle } from "../../model/preemption.ts";
import { recoveryAfterPut } from "../../model/recovery.ts";
import type { Desired, IntentOf } from "../../protocol/command.ts";
import { type Bench, missing, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { agentUnfit, asRegistered } from "../validate/agent-node.ts";
import { autoscalerStatusAfter, autoscalerUnfit } from "../checks/autoscaler.ts";
import {
  budgetStatusAfter,
  budgetUnfit,
  firstBudgetStatus,
  grantsCounted,
} from "../checks/budget.ts";
import { drainAfter, heldByAnother } from "../checks/holds.ts";
import { completionsMoved } from "../validate/malformed-batch.ts";
import { nextTemplate } from "../checks/next-template.ts";
import { firstOverrideStatus, overrideStatusAfter, overrideUnfit } from "../checks/override.ts";
import { firstPolicyStatus, policyFixed } from "../validate/policy-puts.ts";
import { poolFixed } from "../checks/pool-bench.ts";
import { finalizersAfter, REPLICAS_FINALIZER } from "../../rules/plane-finalizers.ts";
import { oversized } from "../validate/oversized.ts";
import { removal } from "../validate/removal.ts";
import { sameValue } from "../validate/same-value.ts";
import { tenantFull } from "../validate/tenant-full.ts";
import { malformed } from "../validate/well-formed.ts";

export function judgePut(bench: Bench, asked: IntentOf<"put">): Verdict {
  const held = bench.ledger.objects.get(asked.key);
  // What is on its way out may outlive what it refers to; it must still be let go.
  const isLeaving = held?.meta.deletingMs !== undefined;
  const intent = asRegistered(bench, asked);
  const wrong =
    oversized(held, asked) ??
    malformed(asked) ??
    agentUnfit(bench, held, asked) ??
    expectationBroken(held, intent) ??
    (isLeaving ? undefined : (dangling(bench, intent) ?? autoscalerUnfit(bench, intent))) ??
    completionsMoved(held, intent.desired) ??
    endless(bench, intent) ??
    poolFixed(held, intent) ??
    overrideUnfit(bench, held, intent) ??
    budgetUnfit(bench, held, intent) ??
    overloading(bench, intent);
  if (wrong !== undefined) return wrong;
  if (!mayPut(bench, held, intent)) return no("not-owner", intent.key, "user", bench.role);
  if (held === undefined) {
    const after = created(bench, intent);
    return [{ key: intent.key, before: undefined, after }, ...grantsCounted(bench, intent)];
  }
  const theirs = heldByAnother(bench, held, intent);
  if (theirs !== undefined) return theirs;
  const specChanged = !sameValue(held.spec, intent.desired.spec);
  const fixed = specChanged ? policyFixed(held, intent.desired) : undefined;
  if (fixed !== undefined) return fixed;
  const finalizers = finalizersAfter(bench, held, intent.finalizers);
  if (held.meta.deletingMs !== undefined) {
    if (specChanged) return no("being-deleted", intent.key, "not being deleted", "being deleted");
    if (finalizers.length === 0) return removal(bench, held);
  }
  return [
    {
      key: intent.key,
      before: held,
      after: updated(bench, held, { ...intent, finalizers }, specChanged),
    },
  ];
}

export function expectationBroken(
  held: AnyObject | undefined,
  intent: IntentOf<"put"> | IntentOf<"delete">,
): No | undefined {
  const { revision, generation } = intent.expect;
  // Revision 0 asks that the object does not exist yet.
  const actualRevision = held?.meta.revision ?? 0;
  if (revision !== undefined && revision !== actualRevision) {
    const code =
      revision === 0
        ? "already-exists"
        : held === undefined
          ? "no-such-object"
          : "revision-changed";
    return no(code, `${intent.key} resourceVersion`, revision, actualRevision);
  }
  const actualGeneration = held?.meta.generation ?? 0;
  if (generation !== undefined && generation !== actualGeneration) {
    return no("generation-changed", `${intent.key} generation`, generation, actualGeneration);
  }
  return undefined;
}

/** People write what they want; a controller writes only to let go of what is on its way out. */
function mayPut(
  { role }: Bench,
  held: AnyObject | undefined,
  { desired }: IntentOf<"put">,
): boolean {
  if (role === "user" || role === "admit") return true;
  // Which node, and what of it, was looked at before (NR1).
  if (role === "agent") return held === undefined && desired.kind === "Node";
  if (role === "grant-budget") return held === undefined && desired.kind === "Budget";
  if (role === "lift-finalizer") return held?.meta.deletingMs !== undefined;
  return role === "empty-tenant" && held?.kind === "Tenant" && held.meta.deletingMs !== undefined;
}

function dangling(bench: Bench, intent: IntentOf<"put">): No | undefined {
  const { objects } = bench.ledger;
  const { desired } = intent;
  const { namespace } = parseKey(intent.key);
  if (desired.kind === "Workload" || desired.kind === "Quota") {
    const tenant = objects.get(tenantKey(namespace));
    if (tenant === undefined) return missing(tenantKey(namespace));
    // What a tenant owned is being cleared away; something new would never be.
    if (tenant.meta.deletingMs !== undefined) {
      return no("being-deleted", tenant.key, "not being deleted", "being deleted");
    }
  }
  if (desired.kind === "Workload" && desired.spec.template.priorityClass !== "") {
    const key = `PriorityClass//${desired.spec.template.priorityClass}` as ObjectKey;
    if (objects.get(key) === undefined) return missing(key);
  }
  if (desired.kind === "Policy") {
    const { active, stages = [] } = desired.spec;
    const named = [...(active === undefined ? [] : [active]), ...stages.map((s) => s.revision)];
    const keys = named.map(policyRevisionKey);
    const lost = keys.find((key) => objects.get(key)?.meta.deletingMs !== undefined);
    if (lost !== undefined) return no("being-deleted", lost, "not being deleted", "being deleted");
    const none = keys.find((key) => objects.get(key) === undefined);
    if (none !== undefined) return missing(none);
  }
  return undefined;
}

function overloading(bench: Bench, { key, desired }: IntentOf<"put">): No | undefined {
  return desired.kind === "Workload" ? tenantFull(bench, key, desired.spec.replicas) : undefined;
}

/** Whoever could be preempted by what he preempts would make room for it for ever (PE2). */
function endless(bench: Bench, { key: put, desired }: IntentOf<"put">): No | undefined {
  if (desired.kind !== "PriorityClass") return undefined;
  const classes = new Map<ObjectKey, PriorityClassSpec>();
  for (const { key, spec } of bench.ledger.objects.all("PriorityClass").values()) {
    classes.set(key, spec);
  }
  const cycle = preemptionCycle(classes.set(put, desired.spec));
  return cycle && no("preemption-cycle", put, "no circle", cycle.join(" > "));
}

function created(bench: Bench, intent: IntentOf<"put">): AnyObject {
  const { namespace, name } = parseKey(intent.key);
  const own = intent.desired.kind === "Workload" ? [REPLICAS_FINALIZER] : [];
  const meta: Meta = {
    namespace,
    name,
    uid: `u${bench.next}` as Uid,
    generation: 1,
    revision: bench.next,
    createdMs: bench.nowMs,
    labels: intent.labels,
    ...notes(intent),
    finalizers: [...own, ...intent.finalizers.filter((finalizer) => !own.includes(finalizer))],
    deletingMs: undefined,
  };
  return assemble(intent, meta, firstStatus(bench, intent.desired, name));
}

function updated(
  bench: Bench,
  held: AnyObject,
  intent: IntentOf<"put">,
  specChanged: boolean,
): AnyObject {
  const generation = held.meta.generation + (specChanged ? 1 : 0);
  const meta: Meta = {
    ...held.meta,
    generation,
    revision: bench.next,
    labels: intent.labels,
    ...notes(intent),
    finalizers: intent.finalizers,
  };
  return assemble(intent, meta, nextStatus(bench, held, intent.desired, generation));
}

/** Only what the intent carries: spread over the old meta, it keeps the rest. */
function notes(
  intent: IntentOf<"put">,
): Pick<Meta, "annotations" | "managedFields" | "conditions"> {
  const { annotations, managedFields, conditions } = intent;
  return {
    ...(annotations === undefined ? {} : { annotations }),
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

function firstStatus(bench: Bench, desired: Desired, name: string): AnyObject["status"] {
  if (desired.kind === "Workload") return { templateGeneration: 1 } satisfies WorkloadStatus;
  const ofPolicy = firstPolicyStatus(bench, desired);
  if (ofPolicy !== undefined) return ofPolicy;
  if (desired.kind === "Override") return firstOverrideStatus(bench, desired.spec);
  if (desired.kind === "Budget") return firstBudgetStatus(bench, desired.spec);
  if (desired.kind !== "Node") return {};
  // Nobody has spoken for the node yet, so nothing is placed there yet. Where a namesake went before its
  // replicas did, sessions are counted on: its agent goes on in its own, and anybody else's ends theirs (OB9).
  const status: NodeStatus = {
    health: "unknown",
    healthSinceMs: bench.nowMs,
    session: bench.ledger.objects.lease(leaseKey(name))?.status.session ?? 0,
    evidence: undefined,
  };
  return drainAfter(bench, { status }, { spec: desired.spec, generation: 1 });
}

function nextStatus(
  bench: Bench,
  held: AnyObject,
  desired: Desired,
  generation: number,
): AnyObject["status"] {
  if (held.kind === "Node" && desired.kind === "Node") {
    return drainAfter(bench, held, { spec: desired.spec, generation });
  }
  if (held.kind === "Override" && desired.kind === "Override") {
    return overrideStatusAfter(held, desired.spec);
  }
  if (held.kind === "Budget" && desired.kind === "Budget") {
    return budgetStatusAfter(held, desired.spec);
  }
  if (held.kind === "Autoscaler" && desired.kind === "Autoscaler") {
    return autoscalerStatusAfter(held, desired.spec);
  }
  if (held.kind !== "Workload" || desired.kind !== "Workload") return held.status;
  const { recovery: _, ...status } = nextTemplate(held, {
    spec: desired.spec,
    generation,
    nowMs: bench.nowMs,
  });
  return { ...status, ...recoveryAfterPut(held, { ...held, spec: desired.spec }) };
}

function assemble(intent: IntentOf<"put">, meta: Meta, status: AnyObject["status"]): AnyObject {
  const { kind, spec } = intent.desired;
  assert(parseKey(intent.key).kind === kind, `A ${kind} was put under the key ${intent.key}.`);
  // `malformed` has matched spec to kind; the union cannot express that the status belongs to it too.
  return { kind, key: intent.key, meta, spec, status } as AnyObject;
}
