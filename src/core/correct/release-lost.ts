/**
 * Frees replicas that were lost with their node's session, gives indexes to another whose workload
 * waits no longer for one that keeps running, and settles who stays when that one is back. Observes
 * nodes and the replicas on them; proposes what cites why it may be. Never acts on silence itself.
 */
import { countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { Node, Replica } from "../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND, FENCE_AFTER_MS } from "../model/timing.ts";
import { otherOf } from "../observe/index-replicas.ts";
import type { View } from "../observe/view.ts";
import { releaseOperation, replaceOperation } from "../protocol/operations.ts";
import { settleIndex } from "./settle-index.ts";

/** Since when, by this controller's own clock, a node is known to be fenced in a session. */
export type Fenced = Map<string, { readonly session: number; readonly seenMs: number }>;

export function createReleaseLost(): Controller {
  const fenced: Fenced = new Map();
  return {
    role: "release-lost",
    interest: { kinds: new Set(["Node", "Replica"]), node: undefined },
    keysFor,
    allKeys: (view) => [...view.objects.all("Node").keys()],
    reconcile: (key, view, look) => releaseLost(key, view, look, fenced),
  };
}

/** A change of one of two replicas of an index may be what the other's node was waiting for. */
function keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
  const object = after ?? before;
  if (object?.kind === "Node") return [object.key];
  if (object?.kind !== "Replica") return [];
  const other = otherOf(view.objects, object);
  // Nearly every bind and report is of a replica that is alone in its index and not lost.
  if (other === undefined && isWellPlaced(object, view)) return [];
  const nodes = [object.status.node, other?.status.node];
  return nodes.flatMap((node) => (node === undefined ? [] : [nodeKey(node)]));
}

function isWellPlaced({ status }: Replica, view: View): boolean {
  if (status.node === undefined) return true;
  const node = view.objects.nodeNamed(status.node)?.status;
  return node !== undefined && node.health !== "fenced" && node.session === status.session;
}

export function releaseLost(key: ObjectKey, view: View, look: Look, fenced: Fenced): Decision {
  const node = view.objects.node(key);
  if (node === undefined) return settled;
  const seenMs = seeFenced(node, look, fenced);
  const intents: Intent[] = [];
  let dueMs = Number.POSITIVE_INFINITY;
  for (const replica of view.objects.replicasOn(node.meta.name).values()) {
    const settling = settleIndex(replica, view);
    if (settling !== undefined) intents.push(settling);
    const evidence = evidenceOfLoss(node, replica, view);
    if (evidence === undefined) continue;
    const atMs = evidence.kind === "session-ended" ? 0 : seenMs + waitedFor(node, replica);
    if (atMs > look.now) dueMs = Math.min(dueMs, atMs);
    else intents.push(lossOf(replica, evidence));
  }
  if (intents.length > 0) {
    intents.sort((a, b) => (a.operation < b.operation ? -1 : 1));
    const summary = `${countText(intents.length, "replica")} ${intents.length === 1 ? "was" : "were"} lost with ${node.meta.name}, or replaced`;
    return propose(intents, { summary });
  }
  if (dueMs === Number.POSITIVE_INFINITY) return settled;
  const summary = `${node.meta.name} is fenced; its replicas get time to return before they are replaced`;
  return wait({ reason: "disconnected", wakes: [], deadlineMs: dueMs, because: { summary } });
}

function seeFenced({ meta, status }: Node, look: Look, fenced: Fenced): number {
  if (status.health !== "fenced") {
    fenced.delete(meta.name);
    return look.now;
  }
  const known = fenced.get(meta.name);
  if (known?.session === status.session) return known.seenMs;
  fenced.set(meta.name, { session: status.session, seenMs: look.now });
  return look.now;
}

/**
 * The silence before the fencing counts, and our clock may be fast where the authority's is slow.
 */
function waitedFor({ status }: Node, { spec }: Replica): number {
  if (status.evidence?.kind === "person") return 0;
  const leftMs = Math.max(0, (spec.template.replaceAfterMs ?? 0) - FENCE_AFTER_MS);
  return leftMs + Math.ceil((2 * leftMs * DRIFT_PARTS_PER_THOUSAND) / 1000);
}

function evidenceOfLoss(node: Node, replica: Replica, view: View): Evidence | undefined {
  const { session, superseded } = replica.status;
  const at = { node: node.meta.name, session };
  if (session < node.status.session) return { kind: "session-ended", ...at };
  if (node.status.health !== "fenced") return undefined;
  const { onDisconnect, replaceAfterMs } = replica.spec.template;
  const isVouchedFor = node.status.evidence?.kind === "person";
  if (onDisconnect === "stop" || isVouchedFor) return { kind: "node-fenced", ...at };
  const mayBeReplaced =
    replaceAfterMs !== undefined &&
    superseded === undefined &&
    otherOf(view.objects, replica) === undefined;
  return mayBeReplaced ? { kind: "replace-after", ...at } : undefined;
}

const lossOf = (replica: Replica, evidence: Evidence): Intent => ({
  kind: "release",
  operation:
    evidence.kind === "replace-after" ? replaceOperation(replica) : releaseOperation(replica),
  key: replica.key,
  incarnation: replica.status.incarnation,
  evidence,
});
