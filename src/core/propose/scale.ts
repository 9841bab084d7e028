/**
 * Scales services: gives them as many replicas as the load asks for that was last observed, and
 * says why when it does not. Observes autoscalers, workloads, their replicas, and nodes and quota
 * to say what is in the way; proposes `scale`. It looks once for each observation. Leaves what is
 * measured to the gauge, bounds and evidence to the authority, incarnations and quota to `admit`,
 * and nodes to `place`.
 */
import type { Controller } from "../runner/controller.ts";
import {
  type Decision,
  type Look,
  propose,
  settled,
  wait,
  type WaitReason,
} from "../protocol/decision.ts";
import { OBSERVATION_OLD_MS } from "../model/autoscaler.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Autoscaler } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { scaleOperation } from "../protocol/operations.ts";
import type { ScaleAnswer } from "../rules/scale/desired-replicas.ts";
import { type ScaleNow, scaleNow } from "../rules/scale/scale-now.ts";
import { obstructedBy } from "../rules/scale/scale-obstacle.ts";
import { answerText, idleText } from "./scale/scale-text.ts";

/**
 * The rules that keep a replica from a place are named in decisions; this one keeps a number from
 * growing.
 */
const PENDING = "replicas-pending";

export function createScale(): Controller {
  const planner = new ScalePlanner();
  return {
    role: "scale",
    interest: {
      kinds: new Set([
        "Autoscaler",
        "Workload",
        "Replica",
        "Reservation",
        "Node",
        "Quota",
        "PriorityClass",
        "Policy",
        "PolicyRevision",
      ]),
      node: undefined,
    },
    keysFor: ({ key, before, after }) => ((after ?? before)?.kind === "Autoscaler" ? [key] : []),
    allKeys: (view) => view.objects.all("Autoscaler").keys(),
    reconcile: (key, view, look) => planner.look(key, view, look),
  };
}

/** When this controller first saw an observation, by its own clock. */
interface Seen {
  readonly uid: string;
  readonly generation: number;
  readonly seq: number;
  readonly atMs: number;
}

class ScalePlanner {
  private readonly seen = new Map<ObjectKey, Seen>();

  look(key: ObjectKey, view: View, look: Look): Decision {
    const autoscaler = view.objects.get(key);
    if (autoscaler?.kind !== "Autoscaler" || autoscaler.meta.deletingMs !== undefined) {
      this.seen.delete(key);
      return settled;
    }
    const oldMs = this.seenMs(autoscaler, look.now) + OBSERVATION_OLD_MS;
    if (oldMs <= look.now) {
      const summary = `${key}: no samples for ${OBSERVATION_OLD_MS / 1_000} s, so it does not scale`;
      return this.wait("samples-old", summary, look.now + OBSERVATION_OLD_MS);
    }
    return this.decide(autoscaler, scaleNow(view.objects, autoscaler), { view, oldMs });
  }

  private decide(
    autoscaler: Autoscaler,
    now: ScaleNow,
    { view, oldMs }: { readonly view: View; readonly oldMs: number },
  ): Decision {
    const { key } = autoscaler;
    if (now.kind === "idle") {
      const reason = now.idle === "scaled-by-hand" ? "scaled-by-hand" : "scale-switched-off";
      return this.wait(reason, `${key}: ${idleText(autoscaler, now)}`, oldMs);
    }
    const { workload, answer, observed } = now;
    // The authority does not know how old it is, and would refuse it (AS3).
    if (observed.epoch !== view.epoch) {
      return this.wait("samples-old", `${key}: no samples since the leader changed`, oldMs);
    }
    const from = workload.spec.replicas;
    const text = `${key}: ${answerText(autoscaler, now)}`;
    if (answer.to === from) return this.wait(whyStays(answer), text, oldMs);
    const found =
      answer.to > from ? obstructedBy(view.objects, workload, observed.atMs) : undefined;
    if (found !== undefined) {
      const summary = `${key}: more replicas would not help (${found.reason}): ${found.text}`;
      const rejected = { [PENDING]: { count: found.count, example: found.text } };
      const because = { summary, rejected, parts: partsOf(now) };
      return wait({ reason: "scale-refused", wakes: [], deadlineMs: oldMs, because });
    }
    const intent = {
      kind: "scale",
      operation: scaleOperation(autoscaler, workload, answer.to),
      autoscaler: key,
      observation: observed.seq,
      generation: workload.meta.generation,
      from,
      to: answer.to,
    } as const;
    return propose([intent], { summary: text, chosen: `${answer.to}`, parts: partsOf(now) });
  }

  private wait(reason: WaitReason, summary: string, deadlineMs: number): Decision {
    return wait({ reason, wakes: [], deadlineMs, because: { summary } });
  }

  private seenMs({ key, meta, status }: Autoscaler, nowMs: number): number {
    const { uid, generation } = meta;
    const seq = status.observed?.seq ?? 0;
    const known = this.seen.get(key);
    if (known?.uid === uid && known.generation === generation && known.seq === seq) {
      return known.atMs;
    }
    this.seen.set(key, { uid, generation, seq, atMs: nowMs });
    return nowMs;
  }
}

const whyStays = ({ limit }: ScaleAnswer): WaitReason => {
  if (limit === undefined) return "load-steady";
  return limit === "samples" ? "samples-old" : "scale-limited";
};

/** What it was decided on, by name. */
const partsOf = (now: Extract<ScaleNow, { kind: "asked" }>): Readonly<Record<string, number>> => ({
  observation: now.observed.seq,
  sumMillis: now.observed.sumMillis,
  covered: now.observed.covered,
  of: now.observed.of,
  windowMs: now.observed.windowMs,
});
