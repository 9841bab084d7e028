/**
 * Removes overrides whose time is over. They have had no effect since then; what is left is an object that controllers
 * still hold back for, because they have no clock to compare with the authority's (CL1). Observes overrides; proposes
 * their release with the time as evidence. Never before: whether it is over is the authority's judgement (OV4).
 */
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import { overrideText } from "../model/override.ts";
import type { Override } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import type { View } from "../observe/view.ts";
import { expireOperation } from "../operations.ts";

/** Our wall clock may be ahead of the authority's: asked too early, it is asked again, and not all the time. */
const AGAIN_MS = 5_000;

/** One end of an override, since when it was seen, and when its removal was last asked for; on our own clock. */
interface Seen {
  readonly generation: number;
  readonly sinceMs: number;
  /** At most so much is left of it. */
  readonly leftMs: number;
  askedMs: number;
}

export function createExpireOverride(): Controller {
  const seen = new Map<ObjectKey, Seen>();
  return {
    role: "expire-override",
    interest: { kinds: new Set(["Override"]), node: undefined },
    keysFor: ({ key, before, after }) => ((after ?? before)?.kind === "Override" ? [key] : []),
    allKeys: (view) => view.objects.all("Override").keys(),
    reconcile: (key, view, look) => expireOverride(key, view, look, seen),
  };
}

function expireOverride(
  key: ObjectKey,
  view: View,
  look: Look,
  seen: Map<ObjectKey, Seen>,
): Decision {
  const override = view.objects.get(key);
  if (override?.kind !== "Override") {
    seen.delete(key);
    return settled;
  }
  const known = see(override, seen, look);
  const dueMs = Math.max(known.askedMs + AGAIN_MS, dueOf(override, known));
  if (look.now >= dueMs) {
    known.askedMs = look.now;
    return expire(override);
  }
  return wait({
    reason: "override",
    wakes: [],
    deadlineMs: dueMs,
    because: { summary: `${overrideText(override)} holds: ${override.spec.reason}` },
  });
}

/** By the wall clock, or by the time it was to last since it was seen: whichever is sooner, and only asking tells. */
function dueOf({ status }: Override, { sinceMs, leftMs }: Seen): number {
  const countedMs = sinceMs + leftMs + Math.ceil((2 * leftMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
  return Math.min(status.untilMs, countedMs);
}

function see({ key, meta, spec }: Override, seen: Map<ObjectKey, Seen>, look: Look): Seen {
  const known = seen.get(key);
  if (known?.generation === meta.generation) return known;
  const fresh: Seen = {
    generation: meta.generation,
    sinceMs: look.now,
    leftMs: spec.ttlMs,
    askedMs: Number.NEGATIVE_INFINITY,
  };
  seen.set(key, fresh);
  return fresh;
}

function expire(override: Override): Decision {
  const { key, meta, status } = override;
  const evidence = { kind: "override-over", override: key, untilMs: status.untilMs } as const;
  const operation = expireOperation(override);
  return propose([{ kind: "release", operation, key, life: meta.generation, evidence }], {
    summary: `the time of ${overrideText(override)} is over`,
  });
}
