/**
 * Removes role bindings whose time is over. They have allowed nothing since then; an object that
 * stays would read as if it did. Observes bindings; proposes their removal with the time as
 * evidence. Whether it is over is the authority's check (AZ18): controllers have no clock to
 * compare with its own (CL1), so it may be asked too early, and then again.
 */
import type { ObjectKey } from "../model/ids.ts";
import { type AnyBinding, isBinding } from "../observe/fold-access.ts";
import type { View } from "../observe/view.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { expireBindingOperation } from "../protocol/operations.ts";
import { endOf } from "../rules/access/binding-end.ts";
import type { Controller } from "../runner/controller.ts";

/** Our clock may be ahead of the authority's. */
const AGAIN_MS = 5_000;

export function createExpireBinding(): Controller {
  const asked = new Map<ObjectKey, number>();
  return {
    role: "expire-binding",
    interest: { kinds: new Set(["RoleBinding", "ClusterRoleBinding"]), node: undefined },
    keysFor: ({ key, before, after }) => (isBinding(after ?? before) ? [key] : []),
    allKeys: ({ objects }) => [
      ...objects.all("RoleBinding").keys(),
      ...objects.all("ClusterRoleBinding").keys(),
    ],
    reconcile: (key, view, look) => expireBinding(key, view, look, asked),
  };
}

function expireBinding(
  key: ObjectKey,
  view: View,
  look: Look,
  asked: Map<ObjectKey, number>,
): Decision {
  const binding = view.objects.get(key);
  const end = isBinding(binding) ? endOf(binding.meta.annotations) : undefined;
  if (!isBinding(binding) || typeof end !== "number") {
    asked.delete(key);
    return settled;
  }
  const dueMs = Math.max(end, (asked.get(key) ?? Number.NEGATIVE_INFINITY) + AGAIN_MS);
  if (look.now < dueMs) {
    const summary = `${key} allows nothing any more from its end on`;
    return wait({ reason: "binding-ends", wakes: [], deadlineMs: dueMs, because: { summary } });
  }
  asked.set(key, look.now);
  return expire(binding, end);
}

function expire(binding: AnyBinding, untilMs: number): Decision {
  const { key, meta } = binding;
  const evidence = { kind: "binding-over", binding: key, untilMs } as const;
  const operation = expireBindingOperation(binding);
  return propose([{ kind: "expire", operation, key, incarnation: meta.generation, evidence }], {
    summary: `${key} has expired`,
  });
}
