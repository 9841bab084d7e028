/**
 * What is left of a node whose object somebody deleted while replicas held it (OB9). Without a Node
 * no agent can renew its lease, so it runs out, and the processes with it; how long ago the last
 * renewal was is what the lease itself still says. It is kept for that, and goes with the last
 * replica.
 */
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Lease, Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { SUSPECT_CLOCK_FENCE_MS } from "../../model/timing.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, FREED, removed, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { silenceMs } from "./silence.ts";

export function releaseVanished(
  context: CommitContext,
  replica: Replica,
  intent: IntentOf<"release">,
): Verdict {
  const { stage, node = "", session } = replica.status;
  const { evidence } = intent;
  if (!holdsNode(stage)) return reject("wrong-stage", replica.key, "holding a node", stage);
  if (context.role !== "release-vanished") {
    return reject("not-owner", replica.key, "release-vanished", context.role);
  }
  if (evidence.kind !== "node-vanished" || evidence.node !== node || evidence.session !== session) {
    const cited = evidence.kind === "node-vanished" ? evidence : { node: "", session: 0 };
    const actual = `${cited.node} session ${cited.session}`;
    return reject("evidence-wrong", replica.key, `${node} session ${session}`, actual);
  }
  const wrong = notVanished(context, node) ?? mayStillRun(context, replica, node);
  if (wrong !== undefined) return wrong;
  const lastEnd = `node-vanished: ${node} was deleted, and its lease is over`;
  return [withStatus(context, replica, { ...FREED, stage: "released", lastEnd })];
}

/** A lease without a node, and so is everything that was bound there. */
export function expireLease(
  context: CommitContext,
  lease: Lease,
  intent: IntentOf<"expire">,
): Verdict {
  const { key, spec, status } = lease;
  if (context.role !== "release-vanished") {
    return reject("not-owner", key, "release-vanished", context.role);
  }
  const { evidence } = intent;
  if (evidence.kind !== "node-vanished") {
    return reject("evidence-missing", key, "node-vanished", evidence.kind);
  }
  if (intent.incarnation !== status.session)
    return reject("wrong-incarnation", key, status.session, intent.incarnation);
  if (evidence.node !== spec.node || evidence.session !== status.session) {
    const actual = `${evidence.node} session ${evidence.session}`;
    return reject("evidence-wrong", key, `${spec.node} session ${status.session}`, actual);
  }
  const [held] = [...context.ledger.objects.replicasOn(spec.node).keys()].toSorted();
  if (held !== undefined) return reject("still-in-use", key, "unused", held);
  return notVanished(context, spec.node) ?? [removed(lease)];
}

function notVanished({ ledger }: CommitContext, node: string): Rejection | undefined {
  return ledger.objects.node(nodeKey(node)) === undefined
    ? undefined
    : reject("evidence-wrong", nodeKey(node), "deleted", "exists");
}

/**
 * The longest time a lease may take to be over counts, that of a clock that was seen to be wrong:
 * what was seen of this node's clock went with it. Where no lease is left, nothing is older than
 * the present leadership.
 */
function mayStillRun(
  context: CommitContext,
  replica: Replica,
  node: string,
): Rejection | undefined {
  const { ledger, nowMs } = context;
  const lease = ledger.objects.lease(leaseKey(node));
  const silentMs =
    lease === undefined ? nowMs - ledger.leadSinceMs : silenceMs(ledger, lease, nowMs);
  if (silentMs < SUSPECT_CLOCK_FENCE_MS) {
    return reject("lease-not-over", leaseKey(node), SUSPECT_CLOCK_FENCE_MS, silentMs);
  }
  return replica.spec.template.onDisconnect === "keep"
    ? reject("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep")
    : undefined;
}
