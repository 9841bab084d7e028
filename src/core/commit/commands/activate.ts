/**
 * Moves the pointer of a policy, everywhere or in one region (PY4). It says which revision it
 * replaces: of two people who each saw the same one in force, the second is told that it has moved.
 * Decisions of a revision that is rolled back follow the plan that this revision declares (PY7).
 */
import { reservedUnder } from "../../model/reservation.ts";
import { policyKey, policyRevisionKey, regionKey } from "../../model/ids.ts";
import type { Policy, PolicyRevision } from "../../model/objects.ts";
import {
  type Activation,
  ACTIVATIONS_KEPT,
  type LeftRevision,
  planOf,
  type PolicySpec,
  REASON_MOST,
  type RollbackPlan,
} from "../../model/policy.ts";
import { holdsNode } from "../../model/stage.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { revisionAt } from "../../observe/policy-in-force.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { ownedByGlobal } from "../checks/region-ownership.ts";
import { type CommitContext, changed, missing, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

type Activate = IntentOf<"activate">;

export function checkActivate(context: CommitContext, intent: Activate): Verdict {
  const { objects } = context.ledger;
  const key = policyKey(intent.policy);
  const policy = objects.all("Policy").get(key);
  if (policy === undefined) return missing(key);
  if (context.role !== "user") return reject("not-owner", key, "user", context.role);
  const foreign = ownedByGlobal(context, key);
  if (foreign !== undefined) return foreign;
  const to = objects.all("PolicyRevision").get(policyRevisionKey(intent.to));
  if (to === undefined) return missing(policyRevisionKey(intent.to));
  const leaving = [policy, to].find(({ meta }) => meta.deletingMs !== undefined);
  if (leaving !== undefined) {
    return reject("being-deleted", leaving.key, "not being deleted", "being deleted");
  }
  const wrong = malformedActivation(context, intent) ?? moved(policy, intent);
  return wrong ?? [changed(policy, activated(context, policy, { intent, to }))];
}

function malformedActivation({ ledger }: CommitContext, { policy, region, reason }: Activate) {
  const key = policyKey(policy);
  if (reason.length > REASON_MOST) {
    return reject(
      "bad-object",
      `${key} reason`,
      `at most ${REASON_MOST} characters`,
      reason.length,
    );
  }
  if (region === undefined) return undefined;
  const { objects } = ledger;
  const isThere =
    objects.get(regionKey(region)) !== undefined ||
    [...objects.all("Node").values()].some(({ spec }) => spec.region === region);
  return isThere ? undefined : missing(regionKey(region));
}

/** Whether something else is replaced than the sender saw in force. */
function moved({ key, spec }: Policy, { region, from, to }: Activate): Rejection | undefined {
  const place = region === undefined ? key : `${key} in ${region}`;
  const now = revisionAt(spec, region) ?? "";
  if (now !== from) {
    return reject("policy-moved", place, from || "no revision", now || "no revision");
  }
  if (now === to) return reject("already-active", place, "another revision", to);
  if (region !== undefined) {
    return spec.active === undefined
      ? reject("policy-staged", place, "a revision that is active everywhere first", "none")
      : undefined;
  }
  // What somebody tries out in a region is theirs to end: it would be overwritten unseen.
  const other = spec.stages?.find(({ revision }) => revision !== to);
  return other && reject("policy-staged", key, to, `${other.revision} in ${other.region}`);
}

function activated(
  context: CommitContext,
  policy: Policy,
  { intent, to }: { readonly intent: Activate; readonly to: PolicyRevision },
): Policy {
  const { region, from } = intent;
  const plan = rollbackPlan(context.ledger.objects, from, to);
  const place = region === undefined ? {} : { region };
  const activation: Activation = {
    by: context.actorName,
    atMs: context.nowMs,
    ...place,
    from,
    to: intent.to,
    reason: intent.reason,
    ...(plan === undefined ? {} : { rollback: plan, ...budgetsKept(context.ledger.objects) }),
  };
  const kept = stillLeft(context.ledger.objects, policy, intent);
  const isKept = plan?.bindings === "preserve" && plan.reservations === "preserve";
  const left = plan === undefined || isKept ? kept : [...kept, { revision: from, ...place, plan }];
  const { meta, status } = policy;
  return {
    ...policy,
    meta: { ...meta, generation: meta.generation + 1, revision: context.next },
    spec: pointer(policy.spec, intent),
    status: {
      ...(status.granted === undefined ? {} : { granted: status.granted }),
      history: [...(status.history ?? []), activation].slice(-ACTIVATIONS_KEPT),
      ...(left.length === 0 ? {} : { left }),
    },
  };
}

/** Whatever the reserve is now, what was granted stays (BU2). */
function budgetsKept(objects: ObjectIndex): Pick<Activation, "budgetsKept"> {
  const { size } = objects.all("RecoveryBudget");
  return size === 0 ? {} : { budgetsKept: size };
}

function pointer({ active, stages = [] }: PolicySpec, { region, to }: Activate): PolicySpec {
  if (region === undefined || active === undefined) return { active: to };
  const others = stages.filter((stage) => stage.region !== region);
  const next = to === active ? others : [...others, { region, revision: to }];
  const inOrder = next.toSorted((a, b) => (a.region < b.region ? -1 : 1));
  return inOrder.length === 0 ? { active } : { active, stages: inOrder };
}

/**
 * Only the way back to an earlier revision has a plan; the way on leaves everything where it is.
 */
function rollbackPlan(
  objects: ObjectIndex,
  from: string,
  to: PolicyRevision,
): RollbackPlan | undefined {
  const left = objects.all("PolicyRevision").get(policyRevisionKey(from));
  return left !== undefined && to.status.madeAt < left.status.madeAt
    ? planOf(left.spec)
    : undefined;
}

/** Entries that are not said anew, not in force again, and of which something is still there. */
function stillLeft(
  objects: ObjectIndex,
  { status }: Policy,
  { region, from, to }: Activate,
): readonly LeftRevision[] {
  const { left = [] } = status;
  if (left.length === 0) return left;
  const named = revisionsNamed(objects);
  return left.filter((entry) => {
    const isThisPlace = region === undefined || entry.region === region;
    const isOver = isThisPlace && (entry.revision === from || entry.revision === to);
    return !isOver && named.has(entry.revision);
  });
}

/** The revisions that live bindings and held rooms name. */
function revisionsNamed(objects: ObjectIndex): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { status } of objects.all("Replica").values()) {
    if (status.policyRevision !== undefined && holdsNode(status.stage)) {
      named.add(status.policyRevision);
    }
  }
  for (const { spec } of objects.all("Reservation").values()) {
    const revision = reservedUnder(spec);
    if (revision !== undefined) named.add(revision);
  }
  return named;
}
