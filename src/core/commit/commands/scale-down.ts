/**
 * Giving back a node of a pool that nothing is on. It is closed in the name of its pool in the same
 * commit, so that nothing comes to it while its machine is taken away; it goes when the provisioner
 * says that the machine is gone (PN6).
 */
import { nodeKey } from "../../model/ids.ts";
import { isProvisioning, poolHolder } from "../../model/node/node-pool.ts";
import type { Node, NodePool } from "../../model/objects.ts";
import { overridesInForce } from "../../rules/override/overrides-in-force.ts";
import { whyNotEmpty, whyWanted } from "../../rules/provision/idle-node.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { moment, poolOf, sinceMs } from "../checks/pool-context.ts";

/** Nothing comes to it any more, in the name of its pool; the machine is then taken away (PN6). */
export function checkScaleDown(context: CommitContext, intent: IntentOf<"scale-down">): Verdict {
  const key = nodeKey(intent.node);
  const node = context.ledger.objects.node(key);
  if (node === undefined) return missing(key);
  if (context.role !== "retire-idle") return reject("not-owner", key, "retire-idle", context.role);
  const { provision } = node.status;
  const pool = poolOf(context, node.spec.pool);
  if (pool === undefined || provision === undefined || isProvisioning(node)) {
    return reject("node-not-idle", key, "a node of a pool", "none, or still provisioning");
  }
  if (provision.scalingDown !== undefined || node.meta.deletingMs !== undefined) {
    return reject(
      "node-not-idle",
      key,
      "a node not being scaled down",
      "it is being scaled down already",
    );
  }
  const wrong = notIdle(context, node, pool);
  if (wrong !== undefined) return wrong;
  const holder = poolHolder(pool.meta.name);
  const reason = "idle: being scaled down";
  const after: Node = {
    ...node,
    meta: { ...touched(node.meta, context.next), generation: node.meta.generation + 1 },
    spec: { ...node.spec, cordons: [...node.spec.cordons, { holder, reason }] },
    status: { ...node.status, provision: { ...provision, scalingDown: moment(context) } },
  };
  return [changed<Node>(node, after)];
}

function notIdle(context: CommitContext, node: Node, pool: NodePool): Rejection | undefined {
  const { ledger, nowMs } = context;
  const { idleAfterMs } = pool.spec;
  if (idleAfterMs === undefined) {
    return reject("node-not-idle", node.key, "a pool that scales down", "it keeps its nodes");
  }
  const why =
    whyNotEmpty(ledger.objects, node) ??
    whyWanted(ledger.objects, node, overridesInForce(ledger.objects, nowMs));
  if (why !== undefined) return reject("node-not-idle", node.key, "nothing on it", why);
  const { arrived } = node.status.provision ?? {};
  const idleMs =
    nowMs -
    Math.max(
      ledger.leadSinceMs,
      ledger.poolUse.lastMs(node.meta.name) ?? ledger.leadSinceMs,
      arrived === undefined ? nowMs : sinceMs(context, arrived),
    );
  return idleMs >= idleAfterMs
    ? undefined
    : reject("node-not-idle", node.key, `idle for ${idleAfterMs} ms`, idleMs);
}
