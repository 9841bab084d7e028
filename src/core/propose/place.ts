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
import { Promised } from "./promised.ts";
import { rankNodes } from "./rank-nodes.ts";

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** The view normally catches up with a refusal or with our own binds within this time. */
const HELD_BACK_PATIENCE_MS = 1_000;

/** How many runners-up are written down. */
const ALTERNATIVES = 3;

export function createPlace(): Controller {
  const promised = new Promised();
  return {
    role: "place",
    interest: { kinds: new Set(["Node", "Replica"]), node: undefined },
    keysFor,
    allKeys,
    reconcile: (key, view, look) => place(key, view, look, promised),
  };
}

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

function place(key: ObjectKey, view: View, look: Look, promised: Promised): Decision {
  const replica = view.objects.replica(key);
  promised.forget(key);
  if (replica?.status.stage !== "queued") return settled;
  promised.prune(view, look.now);
  const ranking = rankNodes(view, replica, look.feedback, promised);
  const { ranked, rejected, wakes, heldBack } = ranking;
  const best = ranked[0];
  if (best === undefined) {
    return wait({
      reason: heldBack ?? "no-feasible-node",
      wakes,
      deadlineMs: look.now + (heldBack === undefined ? PATIENCE_MS : HELD_BACK_PATIENCE_MS),
      because: { summary: "no node of the view can take the replica", rejected },
    });
  }
  const { ask } = replica.spec.template;
  const { candidate, score } = best;
  const deviceIds = freeDevices(candidate, ask).slice(0, ask.amounts.devices);
  promised.note({ replica, node: candidate.node.meta.name, deviceIds, notedMs: look.now });
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
        deviceIds,
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
