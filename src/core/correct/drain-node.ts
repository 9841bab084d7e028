/**
 * Empties a node that is being drained: asks every replica on it to stop, as fast as their workloads can spare
 * them. Nothing new arrives meanwhile, because the authority refuses binds to a draining node; the agent stops
 * the processes, and the freed slots are placed elsewhere.
 */
import type { Intent } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import { isAvailable, withinBudgets } from "../observe/disruption.ts";
import { objectFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { evictOperation } from "../operations.ts";

const PATIENCE_MS = 15_000;

export function createDrainNode(): Controller {
  const draining = new Set<ObjectKey>();
  return {
    role: "drain-node",
    interest: { kinds: new Set(["Node", "Replica", "Workload"]), node: undefined },
    follow: ({ key, before, after }) => {
      if ((after ?? before)?.kind !== "Node") return;
      if (after?.kind === "Node" && after.spec.draining) draining.add(key);
      else draining.delete(key);
    },
    keysFor: (change) => keysFor(change, draining),
    allKeys: (view) => [...view.objects.all("Node").keys()],
    reconcile: drainNode,
  };
}

function keysFor(
  { before, after }: Change,
  draining: ReadonlySet<ObjectKey>,
): readonly ObjectKey[] {
  const object = after ?? before;
  if (object?.kind === "Node") return [object.key];
  // Anybody who comes to serve elsewhere may be what a workload lacked to spare one here.
  if (object?.kind === "Workload") return [...draining];
  if (object?.kind !== "Replica") return [];
  // Of the nodes only those that are being drained need a look; nearly every change is of another.
  const { node } = object.status;
  const itsNode = node === undefined || draining.size === 0 ? undefined : nodeKey(node);
  const own = itsNode !== undefined && draining.has(itsNode) ? [itsNode] : [];
  if (draining.size === 0) return own;
  const canServe = after?.kind === "Replica" && isAvailable(after);
  const couldServe = before?.kind === "Replica" && isAvailable(before);
  return canServe && !couldServe ? [...new Set([...own, ...draining])] : own;
}

export function drainNode(key: ObjectKey, view: View, look: Look): Decision {
  const node = view.objects.node(key);
  if (node === undefined || !node.spec.draining) return settled;
  const name = node.meta.name;
  const replicas = [...view.objects.replicasOn(name).values()];
  if (replicas.length === 0) return settled;
  const { leave, stay } = whoMayLeave(replicas, view);
  if (leave.length > 0) {
    return propose(
      leave.map((replica) => eviction(replica, name)),
      { summary: `${leave.length} replicas leave ${name}, which is draining` },
    );
  }
  if (stay.length > 0) {
    const workloads = [...new Set(stay.map(workloadOf))];
    return wait({
      reason: "disruption-budget",
      wakes: workloads.map(objectFact),
      deadlineMs: look.now + PATIENCE_MS,
      because: {
        summary: `${stay.length} replicas stay on ${name} until ${workloads.join(", ")} can spare them`,
      },
    });
  }
  return wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `${replicas.length} replicas on ${name} are being stopped by its agent` },
  });
}

/** As many of each workload as it can spare at this moment, in the order of their names. */
function whoMayLeave(
  replicas: readonly Replica[],
  view: View,
): { readonly leave: readonly Replica[]; readonly stay: readonly Replica[] } {
  const asked = replicas
    .filter(({ status }) => status.stopping === undefined)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const leave = withinBudgets(view.objects, asked);
  const leaving = new Set(leave);
  return { leave, stay: asked.filter((replica) => !leaving.has(replica)) };
}

const eviction = (replica: Replica, node: string): Intent => ({
  kind: "evict",
  operation: evictOperation(replica, "drain"),
  replica: replica.key,
  life: replica.status.life,
  evidence: { kind: "drain", node },
});
