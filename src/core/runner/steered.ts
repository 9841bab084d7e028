/**
 * A controller as people steer it: what it proposes is asked of the overrides of its view before it
 * is sent, so that the authority is not asked for what it would refuse. What is held back waits,
 * and the rest goes on. Where an override leaves a choice (another node, another victim), the
 * controller itself looks at it.
 */
import type { Controller } from "./controller.ts";
import type { Decision, Look } from "../protocol/decision.ts";
import type { Role } from "../model/actor.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Override } from "../model/objects.ts";
import { objectFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { rejectedBy, sift, waitForOverride } from "../rules/override/wait-for-override.ts";

/**
 * Changes are passed on as they come: there are hundreds of thousands of them for each override
 * there ever is.
 */
export function steered(inner: Controller): Controller {
  return {
    ...inner,
    interest: { ...inner.interest, kinds: new Set([...inner.interest.kinds, "Override"]) },
    reconcile: (key, view, look) => {
      const overrides = overridesInForce(view.objects);
      if (overrides.length === 0) return inner.reconcile(key, view, look);
      return reconcile(inner, { key, view, look, overrides });
    },
  };
}

interface Looking {
  readonly key: ObjectKey;
  readonly view: View;
  readonly look: Look;
  readonly overrides: readonly Override[];
}

/** What they find no place for may have one when an override ends. */
const FINDS: ReadonlySet<Role> = new Set<Role>(["place", "preempt", "keep-recovery"]);

function reconcile(inner: Controller, looking: Looking): Decision {
  const { key, view, look, overrides } = looking;
  const decision = inner.reconcile(key, view, look);
  if (decision.kind === "wait" && FINDS.has(inner.role)) return withEnds(decision, overrides);
  return decision.kind === "propose" ? sifted(decision, looking) : decision;
}

const withEnds = (
  decision: Extract<Decision, { kind: "wait" }>,
  overrides: readonly Override[],
): Decision => ({
  ...decision,
  wakes: [...new Set([...decision.wakes, ...overrides.map(({ key }) => objectFact(key))])],
});

function sifted(decision: Extract<Decision, { kind: "propose" }>, looking: Looking): Decision {
  const { key, view, look, overrides } = looking;
  const { free, holders, heldCount } = sift(view.objects, decision.intents, overrides);
  if (heldCount === 0) return decision;
  const { because } = decision;
  if (free.length === 0) {
    return waitForOverride(key, look, { holders, count: heldCount, what: because.summary });
  }
  const rejected = { ...because.rejected, ...rejectedBy(holders, heldCount) };
  return { ...decision, intents: free, because: { ...because, rejected } };
}
