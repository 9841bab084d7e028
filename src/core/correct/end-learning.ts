/**
 * Lets a restored region spend again once its agents have said what they run. Observes the plane's
 * own object, nodes, their leases and replicas; proposes `end-learning`. Whether it is time is the
 * authority's check (RG13).
 */
import { leaseKey, PLANE_KEY } from "../model/ids.ts";
import type { RegionalPlane } from "../model/regional/plane.ts";
import { FENCE_AFTER_MS } from "../model/timing.ts";
import type { View } from "../observe/view.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { endLearningOperation } from "../protocol/operations.ts";
import { longestGraceMs } from "../rules/longest-grace.ts";
import { regionalOf } from "../rules/regional/term.ts";
import type { Controller } from "../runner/controller.ts";

/** Renewals come all the time and wake nothing: what they said is looked up as often as this. */
const AGAIN_MS = 5_000;

interface Seen {
  readonly incarnation: number;
  readonly epoch: number;
  readonly sinceMs: number;
}

export function createEndLearning(): Controller {
  let seen: Seen | undefined;
  return {
    role: "end-learning",
    interest: {
      kinds: new Set(["Plane", "Node", "Lease", "Replica"]),
      node: undefined,
      onlyWith: "Plane",
    },
    keysFor: ({ key }) => (key === PLANE_KEY ? [key] : []),
    allKeys: ({ objects }) => (regionalOf(objects.plane) === undefined ? [] : [PLANE_KEY]),
    reconcile: (_key, view, look) => {
      const plane = regionalOf(view.objects.plane);
      if (plane?.learning === undefined) return settled;
      const { incarnation } = plane;
      if (seen?.incarnation !== incarnation || seen.epoch !== view.epoch) {
        seen = { incarnation, epoch: view.epoch, sinceMs: look.now };
      }
      return endLearning(plane, seen, { view, look });
    },
  };
}

function endLearning(
  { region, incarnation }: RegionalPlane,
  { sinceMs }: Seen,
  { view, look }: { readonly view: View; readonly look: Look },
): Decision {
  const { objects } = view;
  const dueMs = sinceMs + FENCE_AFTER_MS + longestGraceMs([...objects.all("Replica").values()]);
  const silent = [...objects.all("Node").values()].filter(({ meta, status }) => {
    const lease = objects.lease(leaseKey(meta.name));
    return (
      status.health !== "fenced" && lease !== undefined && lease.status.listedIn !== view.epoch
    );
  });
  if (look.now >= dueMs && silent.length === 0) {
    const operation = endLearningOperation(region, incarnation);
    return propose([{ kind: "end-learning", operation, incarnation }], {
      summary: `${region} knows again what its agents run`,
    });
  }
  return wait({
    reason: "region-learning",
    wakes: [],
    deadlineMs: Math.max(dueMs, look.now + AGAIN_MS),
    because: {
      summary: `${region} was restored and asks its agents what they run; ${silent.length} nodes have not answered`,
    },
  });
}
