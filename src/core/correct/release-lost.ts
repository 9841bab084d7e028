/**
 * Frees replicas that were lost with their node's session. Observes nodes and the replicas on them;
 * proposes releases that cite why nothing can be running any more. Never acts on silence itself.
 */
import type { Intent } from "../commit/command.ts";
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, propose, settled } from "../decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Node, Replica } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { releaseOperation } from "../operations.ts";

export const createReleaseLost = (): Controller => ({
  role: "release-lost",
  interest: { kinds: new Set(["Node", "Replica"]), node: undefined },
  keysFor: ({ before, after }: Change, view) => {
    const object = after ?? before;
    if (object?.kind === "Node") return [object.key];
    if (object?.kind !== "Replica" || object.status.node === undefined) return [];
    // Nearly every bind and report is of a replica that is not lost, and a look at its node would find that.
    const node = view.objects.nodeNamed(object.status.node);
    return node === undefined || evidenceOfLoss(node, object) === undefined ? [] : [node.key];
  },
  allKeys: (view) => [...view.objects.all("Node").keys()],
  reconcile: releaseLost,
});

export function releaseLost(key: ObjectKey, view: View): Decision {
  const node = view.objects.node(key);
  if (node === undefined) return settled;
  const intents: Intent[] = [];
  for (const replica of view.objects.replicasOn(node.meta.name).values()) {
    const evidence = evidenceOfLoss(node, replica);
    if (evidence === undefined) continue;
    intents.push({
      kind: "release",
      operation: releaseOperation(replica),
      key: replica.key,
      life: replica.status.life,
      evidence,
    });
  }
  if (intents.length === 0) return settled;
  intents.sort((a, b) => (a.operation < b.operation ? -1 : 1));
  return propose(intents, {
    summary: `${intents.length} replicas were lost with ${node.meta.name}`,
  });
}

function evidenceOfLoss(node: Node, replica: Replica): Evidence | undefined {
  const { session } = replica.status;
  const at = { node: node.meta.name, session };
  if (session < node.status.session) return { kind: "session-ended", ...at };
  if (node.status.health !== "fenced") return undefined;
  const vouched = node.status.evidence?.kind === "person";
  if (replica.spec.template.onDisconnect === "keep" && !vouched) return undefined;
  return { kind: "node-fenced", ...at };
}
