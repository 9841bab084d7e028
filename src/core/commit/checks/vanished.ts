/**
 * What is left of a node whose object somebody deleted while replicas held it (OB9). Without a Node no agent can renew its lease, so it runs out, and the processes with it; how long ago the last renewal was is what the lease
 * itself still says. It is kept for that, and goes with the last replica.
 */
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Lease, Replica } from "../../model/objects.ts";
import { holdsNode } from "../../model/stage.ts";
import { SUSPECT_CLOCK_FENCE_MS } from "../../model/timing.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type Bench, FREED, removed, type Verdict, withStatus } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { silenceMs } from "./silence.ts";

export function releaseVanished(
  bench: Bench,
  replica: Replica,
  intent: IntentOf<"release">,
): Verdict {
  const { stage, node = "", session } = replica.status;
  const { evidence } = intent;
  if (!holdsNode(stage)) return no("wrong-stage", replica.key, "holding a node", stage);
  if (bench.role !== "release-vanished") {
    return no("not-owner", replica.key, "release-vanished", bench.role);
  }
  if (evidence.kind !== "node-vanished" || evidence.node !== node || evidence.session !== session) {
    const cited = evidence.kind === "node-vanished" ? evidence : { node: "", session: 0 };
    const actual = `${cited.node} session ${cited.session}`;
    return no("evidence-wrong", replica.key, `${node} session ${session}`, actual);
  }
  const wrong = notVanished(bench, node) ?? mayStillRun(bench, replica, node);
  if (wrong !== undefined) return wrong;
  const lastEnd = `node-vanished: ${node} was deleted, and its lease is over`;
  return [withStatus(bench, replica, { ...FREED, stage: "released", lastEnd })];
}

/** A lease without a node, and so is everything that was bound there. */
export function releaseLease(bench: Bench, lease: Lease, intent: IntentOf<"release">): Verdict {
  const { key, spec, status } = lease;
  if (bench.role !== "release-vanished")
    return no("not-owner", key, "release-vanished", bench.role);
  const { evidence } = intent;
  if (evidence.kind !== "node-vanished") {
    return no("evidence-missing", key, "node-vanished", evidence.kind);
  }
  if (intent.life !== status.session) return no("wrong-life", key, status.session, intent.life);
  if (evidence.node !== spec.node || evidence.session !== status.session) {
    const actual = `${evidence.node} session ${evidence.session}`;
    return no("evidence-wrong", key, `${spec.node} session ${status.session}`, actual);
  }
  const [held] = [...bench.ledger.objects.replicasOn(spec.node).keys()].toSorted();
  if (held !== undefined) return no("still-in-use", key, "unused", held);
  return notVanished(bench, spec.node) ?? [removed(lease)];
}

function notVanished({ ledger }: Bench, node: string): No | undefined {
  return ledger.objects.node(nodeKey(node)) === undefined
    ? undefined
    : no("evidence-wrong", nodeKey(node), "deleted", "exists");
}

/**
 * The longest time a lease may take to be over counts, that of a clock that was seen to be wrong: what was seen of
 * this node's clock went with it. Where no lease is left, nothing is older than the present leadership.
 */
function mayStillRun(bench: Bench, replica: Replica, node: string): No | undefined {
  const { ledger, nowMs } = bench;
  const lease = ledger.objects.lease(leaseKey(node));
  const silentMs =
    lease === undefined ? nowMs - ledger.leadSinceMs : silenceMs(ledger, lease, nowMs);
  if (silentMs < SUSPECT_CLOCK_FENCE_MS) {
    return no("lease-not-over", leaseKey(node), SUSPECT_CLOCK_FENCE_MS, silentMs);
  }
  return replica.spec.template.onDisconnect === "keep"
    ? no("keeps-running", replica.key, "onDisconnect stop", "onDisconnect keep")
    : undefined;
}
