/**
 * Whose an override is and how long it holds. Several people hold things back at once, each for a
 * reason of its own; lifting another's would undo an unknown decision (OV2). When its time is over
 * it goes by itself, on the word of the authority's clock alone (OV4).
 */
import { isRecoveryBudgetInForce } from "../../model/recovery-budget.ts";
import {
  OVERRIDES_MAX,
  overrideText,
  type OverrideSpec,
  type OverrideStatus,
  type ReachedRecoveryBudget,
} from "../../model/override.ts";
import type { Override } from "../../model/objects.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { heldByOverride } from "../../rules/override/held-by-override.ts";
import { overridesInForce } from "../../rules/override/overrides-in-force.ts";
import type { Intent, IntentOf, PutOf } from "../../protocol/command.ts";
import { type CommitContext, removed, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { raiseBeyondReserve } from "./recovery-budget.ts";
import { sameValue } from "../validate/same-value.ts";

/** Whether somebody holds back what would otherwise be committed (OV5 to OV10). */
export function heldBack({ ledger, nowMs }: CommitContext, intent: Intent): Rejection | undefined {
  const { objects } = ledger;
  const overrides = overridesInForce(objects, nowMs);
  if (overrides.length === 0) return undefined;
  const held = heldByOverride(objects, intent, overrides);
  return held && reject("held-by-override", held.key, "no override", overrideText(held));
}

/** Why this sender may not put this override. */
export function overrideUnfit(
  context: CommitContext,
  held: Override | undefined,
  { key, desired }: PutOf<"Override">,
): Rejection | undefined {
  if (held === undefined) {
    if (context.role !== "user") return reject("not-owner", key, "user", context.role);
    const { size } = context.ledger.objects.all("Override");
    return size < OVERRIDES_MAX
      ? raiseBeyondReserve(context, key, desired.spec)
      : reject("too-many-overrides", key, `at most ${OVERRIDES_MAX}`, size + 1);
  }
  // A released override needs no owner: each finalizer is taken off by its controller.
  if (held.meta.deletingMs !== undefined) return undefined;
  const another = ownedByAnother(context, held);
  if (another !== undefined) return another;
  if (!isSameDecision(held.spec, desired.spec)) {
    return reject("override-fixed", key, "the same action, target and amount", "another");
  }
  return sameValue(held.spec, desired.spec) ? undefined : isOver(context, held, desired.spec);
}

/**
 * What it does and to what stays: people were told, and what it held back is remembered under its
 * name (OV3).
 */
const isSameDecision = (was: OverrideSpec, is: OverrideSpec): boolean =>
  was.action === is.action && was.amount === is.amount && sameValue(was.target, is.target);

/** One whose time has passed is not brought back, and none is made to have ended before now. */
function isOver(
  { nowMs }: CommitContext,
  { key, status }: Override,
  spec: OverrideSpec,
): Rejection | undefined {
  if (nowMs >= status.untilMs) {
    return reject("override-over", key, "one that holds", `over since ${status.untilMs}`);
  }
  const untilMs = status.sinceMs + spec.ttlMs;
  return nowMs < untilMs
    ? undefined
    : reject("override-over", key, "an end that is to come", `${nowMs - untilMs} ms ago`);
}

export function ownedByAnother(
  { role, actorName }: CommitContext,
  held: Override,
): Rejection | undefined {
  const { owner } = held.status;
  return role === "user" && actorName === owner
    ? undefined
    : reject("override-owned", held.key, owner, actorName);
}

export const firstOverrideStatus = (
  { nowMs, actorName, ledger }: CommitContext,
  { ttlMs, action, target }: OverrideSpec,
): OverrideStatus => ({
  owner: actorName,
  sinceMs: nowMs,
  untilMs: nowMs + ttlMs,
  extensions: 0,
  ...(action === "mark-partitioned"
    ? { budgets: budgetsReached(ledger.objects, target, nowMs) }
    : {}),
});

/**
 * What the region was granted before it was partitioned; nothing that comes later could have
 * reached it (DG4).
 */
const budgetsReached = (
  objects: ObjectIndex,
  { region }: OverrideSpec["target"],
  nowMs: number,
): readonly ReachedRecoveryBudget[] =>
  [...objects.all("RecoveryBudget").values()]
    .filter((budget) => budget.spec.region === region && isRecoveryBudgetInForce(budget, nowMs))
    .map(({ meta, status }) => ({ name: meta.name, uid: meta.uid, untilMs: status.untilMs }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Counted from when it was made, so the same put twice has the same end. */
export function overrideStatusAfter({ status }: Override, { ttlMs }: OverrideSpec): OverrideStatus {
  const untilMs = status.sinceMs + ttlMs;
  if (untilMs === status.untilMs) return status;
  const extensions = status.extensions + (untilMs > status.untilMs ? 1 : 0);
  return { ...status, untilMs, extensions };
}

/** Expiry. */
export function expireOverride(
  context: CommitContext,
  override: Override,
  { evidence, incarnation }: IntentOf<"expire">,
): Verdict {
  const { key, meta, status } = override;
  if (context.role !== "expire-override") {
    return reject("not-owner", key, "expire-override", context.role);
  }
  if (evidence.kind !== "override-over") {
    return reject("evidence-missing", key, "override-over", evidence.kind);
  }
  if (incarnation !== meta.generation)
    return reject("generation-changed", key, incarnation, meta.generation);
  if (evidence.override !== key || evidence.untilMs !== status.untilMs) {
    return reject("evidence-wrong", key, status.untilMs, evidence.untilMs);
  }
  const leftMs = status.untilMs - context.nowMs;
  if (leftMs > 0) return reject("override-not-over", key, "its end", `${leftMs} ms left`);
  return [removed(override)];
}
