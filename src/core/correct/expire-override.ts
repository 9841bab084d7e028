/**
 * Removes overrides whose time is over. They have had no effect since then; only the object is
 * left, which still blocks controllers, because they have no clock to compare with the authority's
 * (CL1). Observes overrides; proposes their release with the time as evidence. Never before:
 * whether it is over is the authority's check (OV4).
 */
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import { overrideText } from "../model/override.ts";
import type { Override } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { expireOperation } from "../protocol/operations.ts";
import { EndsSeen } from "./ends-seen.ts";

export function createExpireOverride(): Controller {
  const ends = new EndsSeen();
  return {
    role: "expire-override",
    interest: { kinds: new Set(["Override"]), node: undefined },
    keysFor: ({ key, before, after }) => ((after ?? before)?.kind === "Override" ? [key] : []),
    allKeys: (view) => view.objects.all("Override").keys(),
    reconcile: (key, view, look) => expireOverride(key, view, look, ends),
  };
}

function expireOverride(key: ObjectKey, view: View, look: Look, ends: EndsSeen): Decision {
  const override = view.objects.get(key);
  if (override?.kind !== "Override") {
    ends.forget(key);
    return settled;
  }
  const dueMs = ends.dueMs(override, look.now);
  if (look.now >= dueMs) {
    ends.asked(override, look.now);
    return expire(override);
  }
  return wait({
    reason: "override",
    wakes: [],
    deadlineMs: dueMs,
    because: { summary: `${overrideText(override)} is in force: ${override.spec.reason}` },
  });
}

function expire(override: Override): Decision {
  const { key, meta, status } = override;
  const evidence = { kind: "override-over", override: key, untilMs: status.untilMs } as const;
  const operation = expireOperation(override);
  return propose([{ kind: "expire", operation, key, incarnation: meta.generation, evidence }], {
    summary: `${overrideText(override)} has expired`,
  });
}
