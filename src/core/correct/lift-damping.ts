/**
 * Ends the hold on a node that flapped once its time is over. Counts on this controller's own clock
 * from when it *saw* the hold begin; whether it is over is the authority's check (FL2).
 */
import { type Decision, type Look, propose } from "../protocol/decision.ts";
import type { Damping } from "../model/node/node-trust.ts";
import type { Node } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { steadyOperation } from "../protocol/operations.ts";

/** A hold that this controller has seen, and since when, by its own clock. */
export interface SeenDamping {
  readonly damped: Damping;
  readonly seenMs: number;
}

/** Undefined when the node is not held. */
export function liftDamping(
  node: Node,
  seen: Map<string, SeenDamping>,
  look: Look,
): Decision | { readonly kind: "later"; readonly atMs: number } | undefined {
  const { damped, session } = node.status;
  const { name } = node.meta;
  if (damped === undefined) {
    seen.delete(name);
    return undefined;
  }
  const { seenMs } = see(name, damped, seen, look);
  const holdMs = damped.untilMs - damped.sinceMs;
  // Our clock may be fast by the bound and the authority's slow by it; asking early would only be
  // refused.
  const atMs = seenMs + holdMs + Math.ceil((2 * holdMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
  if (look.now < atMs) return { kind: "later", atMs };
  return propose(
    [
      {
        kind: "expire",
        operation: steadyOperation(node, damped),
        key: node.key,
        incarnation: session,
        evidence: { kind: "damping-over", node: name },
      },
    ],
    { summary: `${name} was held for flapping for the full time` },
  );
}

function see(
  name: string,
  damped: Damping,
  seen: Map<string, SeenDamping>,
  look: Look,
): SeenDamping {
  const known = seen.get(name);
  if (known?.damped.epoch === damped.epoch && known.damped.sinceMs === damped.sinceMs) return known;
  const now = { damped, seenMs: look.now };
  seen.set(name, now);
  return now;
}
