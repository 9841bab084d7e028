/**
 * Gives a workload another number of replicas, on what was observed of it. Everything is asked once more of the truth:
 * how old the observation is, whether somebody else has written the number meanwhile, the bounds, and whether those that
 * the workload has all have a place. A number that a person wrote is a fact to go on from, never one to write over.
 */
import { OBSERVATION_OLD_MS, scaledWorkload, type ScaleStep } from "../../model/autoscaler.ts";
import type { Autoscaler, Workload } from "../../model/objects.ts";
import { recoveryAfterPut } from "../../model/recovery.ts";
import { scaleNow, type ScaleNow } from "../../rules/scale/scale-now.ts";
import { pendingCount, pendingOf } from "../../rules/scale/scale-obstacle.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, changed, missing, touched, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { autoscalerOf } from "../checks/autoscaler.ts";
import { nextTemplate } from "../checks/next-template.ts";
import { tenantFull } from "../validate/tenant-full.ts";

export function judgeScale(bench: Bench, intent: IntentOf<"scale">): Verdict {
  const { key, autoscaler } = autoscalerOf(bench, intent.autoscaler);
  if (autoscaler === undefined) return missing(key);
  if (bench.role !== "scale") return no("not-owner", key, "scale", bench.role);
  const workload = bench.ledger.objects.workload(scaledWorkload(autoscaler));
  if (workload === undefined) return missing(scaledWorkload(autoscaler));
  const wrong =
    unseen(bench, autoscaler, intent) ??
    movedOn(workload, intent) ??
    notDue(workload, scaleNow(bench.ledger.objects, autoscaler), intent) ??
    unserved(bench, workload, intent) ??
    tenantFull(bench, workload.key, intent.to);
  if (wrong !== undefined) return wrong;
  return [
    changed<Workload>(workload, scaled(bench, workload, intent.to)),
    noted(bench, autoscaler, intent),
  ];
}

/** The age of an observation under another clock is unknown (AS3). */
function unseen(
  { ledger, nowMs }: Bench,
  { key, status: { observed } }: Autoscaler,
  { observation }: IntentOf<"scale">,
): No | undefined {
  if (observed?.seq !== observation) {
    return no("observation-old", key, `observation ${observation}`, observed?.seq ?? "none");
  }
  if (observed.epoch !== ledger.epoch) {
    return no("observation-old", key, "one of this leadership", `of epoch ${observed.epoch}`);
  }
  const ageMs = nowMs - observed.atMs;
  return ageMs <= OBSERVATION_OLD_MS
    ? undefined
    : no("observation-old", key, `at most ${OBSERVATION_OLD_MS} ms old`, `${ageMs} ms`);
}

function movedOn({ key, meta, spec }: Workload, intent: IntentOf<"scale">): No | undefined {
  if (meta.generation !== intent.generation) {
    return no("generation-changed", `${key} generation`, intent.generation, meta.generation);
  }
  return spec.replicas === intent.from
    ? undefined
    : no("generation-changed", `${key} replicas`, intent.from, spec.replicas);
}

/** Within its bounds, and no further than the same decision goes on the truth (AS4, AS5, AS7). */
function notDue({ key }: Workload, now: ScaleNow, { from, to }: IntentOf<"scale">): No | undefined {
  if (now.kind === "idle") {
    return now.idle === "scaled-by-hand"
      ? no("scaled-by-hand", key, "a number of its own", "set by another user or controller")
      : no("scale-not-due", key, "a service that is scaled", now.idle);
  }
  const { min, max } = now.terms;
  if (!Number.isInteger(to) || to < min || to > max) {
    return no("scale-bounds", key, `from ${min} to ${max}`, to);
  }
  const due = now.answer.to;
  const isDue = to > from ? to <= due : to < from && to >= due;
  return isDue ? undefined : no("scale-not-due", key, `no further than ${due}`, to);
}

/** More of what waits would only wait, too (AS6). */
function unserved(
  bench: Bench,
  workload: Workload,
  { from, to }: IntentOf<"scale">,
): No | undefined {
  if (to < from) return undefined;
  const pending = pendingCount(pendingOf(bench.ledger.objects, workload, bench.nowMs));
  return pending === 0
    ? undefined
    : no("replicas-pending", workload.key, "none that waits or fails", `${pending} of ${from}`);
}

function scaled(bench: Bench, held: Workload, replicas: number): Workload {
  const spec = { ...held.spec, replicas };
  const generation = held.meta.generation + 1;
  const { recovery: _, ...status } = nextTemplate(held, { spec, generation, nowMs: bench.nowMs });
  return {
    ...held,
    meta: { ...touched(held.meta, bench.next), generation },
    spec,
    status: { ...status, ...recoveryAfterPut(held, { ...held, spec }) },
  };
}

function noted(bench: Bench, autoscaler: Autoscaler, { from, to }: IntentOf<"scale">): Change {
  const step: ScaleStep = { from, to, atMs: bench.nowMs, epoch: bench.ledger.epoch };
  const after: Autoscaler = {
    ...autoscaler,
    meta: touched(autoscaler.meta, bench.next),
    status: {
      ...autoscaler.status,
      ...(to > from ? { lastUp: step } : { lastDown: step }),
      replicas: to,
    },
  };
  return changed<Autoscaler>(autoscaler, after);
}
