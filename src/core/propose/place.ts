/**
 * Places one queued replica on one node.
 * Observes nodes, their use and the replica's siblings through a view that may be stale; proposes one
 * bind. Leaves capacity, quota and fencing to the authority, and retries to the runner.
 */
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { freeDevices } from "../feasibility/devices.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { View } from "../observe/view.ts";
import { bindOperation } from "../operations.ts";
import { rankNodes } from "./rank-nodes.ts";

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** The view normally catches up with a refusal within this time. */
const FEEDBACK_PATIENCE_MS = 1_000;

/** How many runners-up are written down. */
const ALTERNATIVES = 3;

export const createPlace = (): Controller => ({
  role: "place",
  interest: { kinds: new Set(["Node", "Replica"]), node: undefined },
  keysFor,
  allKeys,
  reconcile: place,
});

function keysFor({ key, before, after }: Change): readonly ObjectKey[] {
  const touchesQueue = [before, after].some(
    (object) => object?.kind === "Replica" && object.status.stage === "queued",
  );
  return touchesQueue ? [key] : [];
}

function allKeys(view: View): readonly ObjectKey[] {
  const keys: ObjectKey[] = [];
  for (const replica of view.objects.all("Replica").values()) {
    if (replica.status.stage === "queued") keys.push(replica.key);
  }
  return keys;
}

export function place(key: ObjectKey, view: View, look: Look): Decision {
  const replica = view.objects.replica(key);
  if (replica?.status.stage !== "queued") return settled;
  const { ranked, rejected, wakes, heldByFeedback } = rankNodes(view, replica, look.feedback);
  const best = ranked[0];
  if (best === undefined) {
    return wait({
      reason: heldByFeedback ? "refused-lately" : "no-feasible-node",
      wakes,
      deadlineMs: look.now + (heldByFeedback ? FEEDBACK_PATIENCE_MS : PATIENCE_MS),
      because: { summary: "no node of the view can take the replica", rejected },
    });
  }
  const { ask } = replica.spec.template;
  const { candidate, score } = best;
  return propose(
    [
      {
        kind: "bind",
        // Names the life, never the attempt or the node: a retry after a lost reply meets the first
        // binding instead of making a second one.
        operation: bindOperation(replica),
        replica: key,
        life: replica.status.life,
        node: candidate.node.meta.name,
        deviceIds: freeDevices(candidate, ask).slice(0, ask.amounts.devices),
      },
    ],
    {
      summary: `${candidate.node.meta.name} scores highest of ${ranked.length}`,
      rejected,
      chosen: candidate.node.meta.name,
      score,
      alternatives: ranked.slice(1, 1 + ALTERNATIVES).map((other) => ({
        name: other.candidate.node.meta.name,
        score: other.score,
      })),
    },
  );
}
