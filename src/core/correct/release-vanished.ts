/**
 * Drift: replicas that hold a node whose object is gone, and the lease that was left of it. Owner
 * of both. Useful partial progress is what an agent may still be bringing to its end: until the
 * lease is over, counted here from when the node was first seen to be missing and checked by the
 * authority on the lease itself, nothing is touched. What keeps running when disconnected is left
 * to a person, for as long as it takes.
 */
import { countAre, countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { leaseKey, nodeKey, type ObjectKey, parseKey } from "../model/ids.ts";
import type { Lease, Replica } from "../model/objects.ts";
import { SUSPECT_CLOCK_FENCE_MS } from "../model/timing.ts";
import type { View } from "../observe/view.ts";
import { releaseLeaseOperation, releaseOperation } from "../protocol/operations.ts";

/**
 * The watch shows when somebody has put the node back; this is only for the case that it does not.
 */
const PATIENCE_MS = 15_000;

/** One look frees so many; a node of thousands is emptied in steps. */
const INTENTS_PER_LOOK = 64;

export function createReleaseVanished(): Controller {
  /**
   * Since when each node was seen to be missing, on this controller's clock; a restarted one counts
   * anew.
   */
  const missingSince = new Map<ObjectKey, number>();
  return {
    role: "release-vanished",
    interest: { kinds: new Set(["Node", "Replica", "Lease"]), node: undefined },
    keysFor,
    allKeys: (view) => nodesSpokenOf(view),
    reconcile: (key, view, look) => releaseVanished(key, view, look, missingSince),
  };
}

/** Almost everything that happens is about nodes that are there. */
function keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind === "Node") return [some.key];
  const name =
    some?.kind === "Lease"
      ? some.spec.node
      : some?.kind === "Replica"
        ? ((before as Replica | undefined)?.status.node ?? some.status.node)
        : undefined;
  if (name === undefined || view.objects.node(nodeKey(name)) !== undefined) return [];
  return [nodeKey(name)];
}

function nodesSpokenOf({ objects }: View): readonly ObjectKey[] {
  const names = new Set<string>();
  for (const { spec } of objects.all("Lease").values()) names.add(spec.node);
  for (const { status } of objects.all("Replica").values()) {
    if (status.node !== undefined) names.add(status.node);
  }
  return [...names].map(nodeKey).filter((key) => objects.node(key) === undefined);
}

function releaseVanished(
  key: ObjectKey,
  view: View,
  look: Look,
  missingSince: Map<ObjectKey, number>,
): Decision {
  const { name } = parseKey(key);
  const replicas = [...view.objects.replicasOn(name).values()];
  const lease = view.objects.lease(leaseKey(name));
  if (view.objects.node(key) !== undefined || (replicas.length === 0 && lease === undefined)) {
    missingSince.delete(key);
    return settled;
  }
  if (replicas.length === 0 && lease !== undefined) {
    return propose([leaseRelease(lease)], { summary: `${name} is gone and nothing is left on it` });
  }
  const sinceMs = missingSince.get(key) ?? look.now;
  missingSince.set(key, sinceMs);
  return releaseAll(name, replicas, look, sinceMs + SUSPECT_CLOCK_FENCE_MS);
}

function releaseAll(
  name: string,
  replicas: readonly Replica[],
  look: Look,
  overMs: number,
): Decision {
  const lost = replicas
    .filter(({ spec }) => spec.template.onDisconnect === "stop")
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (lost.length === 0) {
    return wait({
      reason: "needs-a-person",
      wakes: [],
      deadlineMs: look.now + PATIENCE_MS,
      because: {
        summary: `${countText(replicas.length, "replica")} ${replicas.length === 1 ? "keeps" : "keep"} running when disconnected, and ${name} was deleted: create it again, and fence it if the machine is gone`,
      },
    });
  }
  if (look.now < overMs) {
    return wait({
      reason: "not-silent-long-enough",
      wakes: [],
      deadlineMs: overMs,
      because: {
        summary: `${name} was deleted; its agent may run processes until its lease expires`,
      },
    });
  }
  return propose(lost.slice(0, INTENTS_PER_LOOK).map(release), {
    summary: `${countAre(lost.length, "replica")} bound to ${name}, which was deleted and whose lease has expired`,
  });
}

const release = (replica: Replica): Intent => ({
  kind: "release",
  operation: releaseOperation(replica),
  key: replica.key,
  incarnation: replica.status.incarnation,
  evidence: {
    kind: "node-vanished",
    node: replica.status.node ?? "",
    session: replica.status.session,
  },
});

const leaseRelease = (lease: Lease): Intent => ({
  kind: "expire",
  operation: releaseLeaseOperation(lease),
  key: lease.key,
  incarnation: lease.status.session,
  evidence: { kind: "node-vanished", node: lease.spec.node, session: lease.status.session },
});
