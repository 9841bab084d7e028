/**
 * Stage moves that are not the by-product of another command: a replica is queued, a node falls
 * silent.
 */
import type { Evidence } from "../../model/evidence.ts";
import { leaseKey } from "../../model/ids.ts";
import type { Node, NodeHealth, Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { SUSPECT_AFTER_MS } from "../../model/timing.ts";
import { isHeldFor } from "../../observe/held-for.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import {
  type CommitContext,
  changed,
  missing,
  removed,
  touched,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { carriedSilenceMs } from "../../observe/carried-silence.ts";
import { fencingUnsupported, silenceMs, silenceToldLately } from "../checks/silence.ts";

type QueueReplica = Extract<IntentOf<"transition">, { to: "queued" }>;
type MoveNode = Exclude<IntentOf<"transition">, { to: "queued" }>;

export function checkTransition(context: CommitContext, intent: IntentOf<"transition">): Verdict {
  if (intent.to === "queued") {
    const replica = context.ledger.objects.replica(intent.key);
    return replica === undefined ? missing(intent.key) : queueReplica(context, replica, intent);
  }
  const node = context.ledger.objects.node(intent.key);
  return node === undefined ? missing(intent.key) : moveNode(context, node, intent);
}

function queueReplica(context: CommitContext, replica: Replica, intent: QueueReplica): Verdict {
  if (context.role !== "admit") return reject("not-owner", replica.key, "admit", context.role);
  const { stage, incarnation } = replica.status;
  if (incarnation !== intent.incarnation)
    return reject("wrong-incarnation", replica.key, incarnation, intent.incarnation);
  if (stage !== "admitted") return reject("wrong-stage", replica.key, "admitted", stage);
  const reservation = context.ledger.objects.reservation(intent.reservation);
  const holdsQuota = reservation !== undefined && reservation.spec.for === "quota";
  if (!holdsQuota || !isHeldFor(reservation, replica)) {
    return reject(
      "reservation-not-held",
      replica.key,
      `held for incarnation ${incarnation}`,
      intent.reservation,
    );
  }
  // From here on the replica holds its quota itself: the reservation ends in the same commit (RS2).
  return [removed(reservation), withStatus(context, replica, { stage: "queued" })];
}

/**
 * Health only worsens by transition; it improves by the agent's own lease. From unknown to unknown
 * only says for how long by now (EV11).
 */
const WORSE: Readonly<Record<NodeHealth, readonly NodeHealth[]>> = {
  ready: ["suspect", "unknown", "fenced"],
  suspect: ["unknown", "fenced"],
  unknown: ["unknown", "fenced"],
  fenced: [],
};

function moveNode(context: CommitContext, node: Node, intent: MoveNode): Verdict {
  const byPerson = context.role === "user" && intent.evidence.kind === "person";
  if (context.role !== "node-health" && !(byPerson && intent.to === "fenced")) {
    return reject("not-owner", node.key, "node-health", context.role);
  }
  const { health, session } = node.status;
  if (session !== intent.session) return reject("session-ended", node.key, session, intent.session);
  if (health !== intent.from) return reject("wrong-stage", node.key, intent.from, health);
  // A node fenced for its silence may still run what keeps running; a person may know better (EV5).
  const isVouchedFor = byPerson && health === "fenced" && node.status.evidence?.kind !== "person";
  if (!WORSE[health].includes(intent.to) && !isVouchedFor) {
    return reject("wrong-stage", node.key, `better than ${intent.to}`, health);
  }
  const unsupported = byPerson ? undefined : silenceUnsupported(context, node, intent);
  if (unsupported !== undefined) return unsupported;
  const after: Node = {
    ...node,
    meta: touched(node.meta, context.next),
    status: {
      ...node.status,
      health: intent.to,
      healthSinceMs: intent.to === health ? node.status.healthSinceMs : context.nowMs,
      session,
      evidence: measured(context, node, intent.evidence),
    },
  };
  const changes: Change[] = [changed(node, after)];
  if (intent.to === "suspect") return changes;
  // Room reserved there is of no use to waiting replicas (PE7).
  const held = context.ledger.objects.useOf(node.meta.name).held.values();
  if (intent.to === "fenced") for (const room of held) changes.push(removed(room));
  for (const replica of context.ledger.objects.replicasOn(node.meta.name).values()) {
    // Held capacity stays held: unknown is a stage, not an ending.
    if (holdsNode(replica.status.stage) && replica.status.stage !== "unknown") {
      changes.push(withStatus(context, replica, { stage: "unknown" }));
    }
  }
  return changes;
}

/** The authority's measurement is kept, not the sender's view. */
function measured({ ledger, nowMs }: CommitContext, node: Node, evidence: Evidence): Evidence {
  const lease = ledger.objects.lease(leaseKey(node.meta.name));
  if (evidence.kind !== "lease-expired" || lease === undefined) return evidence;
  const { epoch } = ledger;
  const carriedMs = carriedSilenceMs(node, lease, epoch);
  const silentMs = silenceMs(ledger, lease, nowMs);
  return { ...evidence, silentMs, epoch, ...(carriedMs === 0 ? {} : { carriedMs }) };
}

function silenceUnsupported(
  context: CommitContext,
  node: Node,
  intent: MoveNode,
): Rejection | undefined {
  const { evidence } = intent;
  if (evidence.kind !== "lease-expired") {
    return reject("evidence-missing", node.key, "lease-expired", evidence.kind);
  }
  if (evidence.node !== node.meta.name) {
    return reject("evidence-wrong", node.key, node.meta.name, evidence.node);
  }
  const lease = context.ledger.objects.lease(leaseKey(node.meta.name));
  // A renewal that came in after the observer looked ends the silence it speaks of.
  if (lease?.status.seq !== evidence.seq || lease.status.session !== evidence.session) {
    return reject(
      "evidence-wrong",
      node.key,
      `renewal ${lease?.status.seq ?? "none"}`,
      `renewal ${evidence.seq}`,
    );
  }
  // What the node sent while this plane stood still was not read: its silence begins anew (LB7).
  const awakeMs = context.nowMs - context.ledger.wokeMs;
  if (awakeMs < SUSPECT_AFTER_MS) {
    return reject(
      "lease-not-over",
      node.key,
      `${SUSPECT_AFTER_MS} ms after the plane's stall`,
      awakeMs,
    );
  }
  if (intent.to === "fenced") return fencingUnsupported(context, node, lease);
  return intent.to === intent.from ? silenceToldLately(context, node, lease) : undefined;
}
