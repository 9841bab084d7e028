/**
 * Empties a node that is being drained: asks every replica on it to stop. Nothing new arrives meanwhile,
 * because the authority refuses binds to a draining node; the agent stops the processes, and the freed
 * slots are placed elsewhere.
 */
import type { Intent } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { View } from "../observe/view.ts";
import { evictOperation } from "../operations.ts";

const PATIENCE_MS = 15_000;

export const createDrainNode = (): Controller => ({
  role: "drain-node",
  interest: { kinds: new Set(["Node", "Replica"]), node: undefined },
  keysFor: ({ before, after }: Change) => {
    const object = after ?? before;
    if (object?.kind === "Node") return [object.key];
    const node = object?.kind === "Replica" ? object.status.node : undefined;
    return node === undefined ? [] : [nodeKey(node)];
  },
  allKeys: (view) => [...view.objects.all("Node").keys()],
  reconcile: drainNode,
});

export function drainNode(key: ObjectKey, view: View, look: Look): Decision {
  const node = view.objects.node(key);
  if (node === undefined || !node.spec.draining) return settled;
  const name = node.meta.name;
  const replicas = [...view.objects.replicasOn(name).values()];
  if (replicas.length === 0) return settled;
  const intents: Intent[] = replicas
    .filter(({ status }) => status.stopping === undefined)
    .map((replica) => ({
      kind: "evict",
      operation: evictOperation(replica, "drain"),
      replica: replica.key,
      life: replica.status.life,
      evidence: { kind: "drain", node: name },
    }));
  if (intents.length > 0) {
    intents.sort((a, b) => (a.operation < b.operation ? -1 : 1));
    return propose(intents, {
      summary: `${intents.length} replicas leave ${name}, which is draining`,
    });
  }
  return wait({
    reason: "stopping",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: { summary: `${replicas.length} replicas on ${name} are being stopped by its agent` },
  });
}
