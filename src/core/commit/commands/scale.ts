/**
 * Gives a workload another number of replicas, on what was observed of it. Everything is asked once
 * more of the truth: how old the observation is, whether somebody else has written the number
 * meanwhile, the bounds, and whether those that the workload has all have a place. A number that a
 * person wrote is a fact to go on from, never one to write over.
 */
import { OBSERVATION_OLD_MS, scaledWorkload, type ScaleStep } from "../../model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../model/objects.ts";
import { recoveryAfterPut } from "../../model/recovery.ts";
import { scaleNow, type ScaleNow } from "../../rules/scale/scale-now.ts";
import { pendingCount, pendingOf } from "../../rules/scale/scale-obstacle.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { autoscalerOf } from "../checks/autoscaler.ts";
import { nextTemplate } from "../checks/next-template.ts";
import { tenantFull } from "../validate/tenant-full.ts";

export function checkScale(context: CommitContext, intent: IntentOf<"scale">): Verdict {
  const { key, autoscaler } = autoscalerOf(context, intent.autoscaler);
  if (autoscaler === undefined) return missing(key);
  if (context.role !== "scale") return reject("not-owner", key, "scale", context.role);
  const workload = context.ledger.objects.workload(scaledWorkload(autoscaler));
  if (workload === undefined) return missing(scaledWorkload(autoscaler));
  const wrong =
    unseen(context, autoscaler, intent) ??
    movedOn(workload, intent) ??
    notDue(workload, scaleNow(context.ledger.objects, autoscaler), intent) ??
    unserved(context, workload, intent) ??
    tenantFull(context, workload.key, intent.to);
  if (wrong !== undefined) return wrong;
  return [
    changed<Workload>(workload, scaled(context, workload, intent.to)),
    noted(context, autoscaler, intent),
  ];
}

/** The age of an observation under another clock is unknown (AS3). */
function unseen(
  { ledger, nowMs }: CommitContext,
  { key, status: { observed } }: Autoscaler,
  { observation }: IntentOf<"scale">,
): Rejection | undefined {
  if (observed?.seq !== observation) {
    return reject("observation-old", key, `observation ${observation}`, observed?.seq ?? "none");
  }
  if (observed.epoch !== ledger.epoch) {
    return reject("observation-old", key, "one of this leadership", `of epoch ${observed.epoch}`);
  }
  const ageMs = nowMs - observed.atMs;
  return ageMs <= OBSERVATION_OLD_MS
    ? undefined
    : reject("observation-old", key, `at most ${OBSERVATION_OLD_MS} ms old`, `${ageMs} ms`);
}

function movedOn({ key, meta, spec }: Workload, intent: IntentOf<"scale">): Rejection | undefined {
  if (meta.generation !== intent.generation) {
    return reject("generation-changed", `${key} generation`, intent.generation, meta.generation);
  }
  return spec.replicas === intent.from
    ? undefined
    : reject("generation-changed", `${key} replicas`, intent.from, spec.replicas);
}

/** Within its bounds, and no further than the same decision goes on the truth (AS4, AS5, AS7). */
function notDue(
  { key }: Workload,
  now: ScaleNow,
  { from, to }: IntentOf<"scale">,
): Rejection | undefined {
  if (now.kind === "idle") {
    return now.idle === "scaled-by-hand"
      ? reject("scaled-by-hand", key, "a number of its own", "set by another user or controller")
      : reject("scale-not-due", key, "a service that is scaled", now.idle);
  }
  const { min, max } = now.terms;
  if (!Number.isInteger(to) || to < min || to > max) {
    return reject("scale-bounds", key, `from ${min} to ${max}`, to);
  }
  const due = now.answer.to;
  const isDue = to > from ? to <= due : to < from && to >= due;
  return isDue ? undefined : reject("scale-not-due", key, `no further than ${due}`, to);
}

/** More of what waits would only wait, too (AS6). */
function unserved(
  context: CommitContext,
  workload: Workload,
  { from, to }: IntentOf<"scale">,
): Rejection | undefined {
  if (to < from) return undefined;
  const pending = pendingCount(pendingOf(context.ledger.objects, workload, context.nowMs));
  return pending === 0
    ? undefined
    : reject("replicas-pending", workload.key, "none that waits or fails", `${pending} of ${from}`);
}

function scaled(context: CommitContext, held: Workload, replicas: number): Workload {
  const spec = { ...held.spec, replicas };
  const generation = held.meta.generation + 1;
  const { recovery: _, ...status } = nextTemplate(held, { spec, generation, nowMs: context.nowMs });
  return {
    ...held,
    meta: { ...touched(held.meta, context.next), generation },
    spec,
    status: { ...status, ...recoveryAfterPut(held, { ...held, spec }) },
  };
}

function noted(
  context: CommitContext,
  autoscaler: Autoscaler,
  { from, to }: IntentOf<"scale">,
): Change {
  const step: ScaleStep = { from, to, atMs: context.nowMs, epoch: context.ledger.epoch };
  const after: Autoscaler = {
    ...autoscaler,
    meta: touched(autoscaler.meta, context.next),
    status: {
      ...autoscaler.status,
      ...(to > from ? { lastUp: step } : { lastDown: step }),
      replicas: to,
    },
  };
  return changed<Autoscaler>(autoscaler, after);
}
