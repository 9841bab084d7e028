/**
 * Gives back nodes of pools that nothing is on: begins it once a node has been of no use to anybody
 * for as long as its pool says. Observes nodes, pools, replicas, reserved room and waiting
 * replicas; proposes `scale-down`. Leaves to the authority how long it has really been, and the
 * machine to the provisioner, whose word ends it.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { type Epoch, nodeKey, type ObjectKey } from "../model/ids.ts";
import { isProvisioning, nodePoolKey } from "../model/node/node-pool.ts";
import type { Node } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import type { View } from "../observe/view.ts";
import { scaleDownOperation } from "../protocol/operations.ts";
import { overridesInForce } from "../rules/override/overrides-in-force.ts";
import { whyNotEmpty, whyWanted } from "../rules/provision/idle-node.ts";
import { POOL_INTEREST } from "../rules/provision/pool-interest.ts";

/**
 * A queued replica may want it: that is looked at now and then, and by the authority at the end.
 */
const LOOK_EVERY_MS = 5_000;

/**
 * When something was last there, by our own clock. A new leadership counts from its own beginning
 * (PN6).
 */
interface LastUse {
  readonly times: Map<ObjectKey, number>;
  epoch: Epoch;
}

export function createScaleDownIdle(): Controller {
  const used: LastUse = { times: new Map(), epoch: -1 };
  return {
    role: "retire-idle",
    interest: POOL_INTEREST,
    keysFor: nodesOf,
    allKeys: (view) =>
      view.objects.all("NodePool").size === 0
        ? []
        : [...view.objects.all("Node").values()]
            .filter(({ spec }) => spec.pool !== undefined)
            .map(({ key }) => key),
    reconcile: (key, view, look) => scaleDownIdle(key, view, { look, used }),
  };
}

/**
 * A replica that comes or goes is seen at the next look, at the latest when the authority is asked.
 */
function nodesOf({ key, before, after }: Change, { objects }: View): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "Node") return some.spec.pool === undefined ? [] : [key];
  if (some?.kind !== "Replica" || objects.all("NodePool").size === 0) return [];
  const names = [before, after].flatMap((each) =>
    each?.kind === "Replica" && each.status.node !== undefined ? [each.status.node] : [],
  );
  return names
    .filter((name) => objects.nodeNamed(name)?.spec.pool !== undefined)
    .map((name) => nodeKey(name));
}

function scaleDownIdle(
  key: ObjectKey,
  view: View,
  { look, used }: { readonly look: Look; readonly used: LastUse },
): Decision {
  const node = view.objects.node(key);
  const idleAfterMs = node && idleAfter(node, view);
  if (node === undefined || idleAfterMs === undefined) {
    used.times.delete(key);
    return settled;
  }
  if (used.epoch !== view.epoch) used.times.clear();
  used.epoch = view.epoch;
  const there = whyNotEmpty(view.objects, node);
  const lastMs = there === undefined ? (used.times.get(key) ?? look.now) : look.now;
  used.times.set(key, lastMs);
  // Our clock may run faster than the authority's: asked too early, it would refuse.
  const dueMs =
    lastMs + idleAfterMs + Math.ceil((2 * idleAfterMs * DRIFT_PARTS_PER_THOUSAND) / 1_000);
  const isDue = there === undefined && look.now >= dueMs;
  const why = isDue ? whyWanted(view.objects, node, overridesInForce(view.objects)) : there;
  if (isDue && why === undefined) {
    // Refused, it is counted anew: something was there that this view did not show.
    used.times.delete(key);
    return propose(
      [{ kind: "scale-down", operation: scaleDownOperation(node), node: node.meta.name }],
      {
        summary: `${key}: idle for ${idleAfterMs} ms, and no waiting replica fits it`,
      },
    );
  }
  const deadlineMs = isDue ? look.now + LOOK_EVERY_MS : Math.min(look.now + LOOK_EVERY_MS, dueMs);
  const summary = why === undefined ? `${key} is idle` : `${key} stays: ${why}`;
  return wait({ reason: "node-busy", wakes: [], deadlineMs, because: { summary } });
}

/** Undefined: it is none of ours, or it is on its way already. */
function idleAfter(node: Node, { objects }: View): number | undefined {
  const { spec, status } = node;
  if (spec.pool === undefined || isProvisioning(node)) return undefined;
  if (status.provision === undefined || status.provision.scalingDown !== undefined)
    return undefined;
  const pool = objects.get(nodePoolKey(spec.pool));
  return pool?.kind === "NodePool" ? pool.spec.idleAfterMs : undefined;
}
