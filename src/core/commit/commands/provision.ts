/**
 * Machines that work waits for. Asking for one makes a node of soft supply: a forecast, to which
 * nothing is ever bound (BD10), and which becomes hard when its own agent speaks (PN4). Everything
 * is asked once more of the truth: who waits and for how long, whether a machine would help, and
 * how many the pool and its region may have. What does not come in time goes again, and the pool
 * waits longer each time before it asks anew (PN5).
 */
import type { JobMoment } from "../../model/batch.ts";
import { leaseKey, nodeKey, type Uid } from "../../model/ids.ts";
import {
  isProvisioning,
  nodePoolKey,
  PACE_NODES_MOST,
  pendingForMs,
  poolNodeSpec,
  type Provision,
  readyWithinMs,
} from "../../model/node/node-pool.ts";
import type { Node, NodePool, Replica } from "../../model/objects.ts";
import { sentence } from "../../model/text/sentence.ts";
import { nextPoolNumber, poolNodeName } from "../../observe/pool-nodes.ts";
import { overridesInForce } from "../../rules/override/overrides-in-force.ts";
import { poolBound } from "../../rules/provision/pool-bound.ts";
import { poolNeed } from "../../rules/provision/pool-need.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, changed, missing, touched, type Verdict } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { moment, poolOf, sinceMs, withPool } from "../checks/pool-context.ts";
import { removal } from "../validate/removal.ts";

export function checkProvision(context: CommitContext, intent: IntentOf<"provision">): Verdict {
  const pool = poolOf(context, intent.pool);
  if (pool === undefined) return missing(nodePoolKey(intent.pool));
  if (context.role !== "provision") return reject("not-owner", pool.key, "provision", context.role);
  if (pool.meta.deletingMs !== undefined) {
    return reject("being-deleted", pool.key, "not being deleted", "being deleted");
  }
  const number = nextPoolNumber(context.ledger.objects, pool);
  const name = poolNodeName(pool.meta.name, number);
  if (intent.node !== name) {
    return reject("already-exists", nodeKey(intent.node), name, intent.node);
  }
  const wrong = outOfBounds(context, pool) ?? notNeeded(context, pool, intent);
  if (wrong !== undefined) return wrong;
  const now = moment(context);
  const lately = [...(pool.status.lately ?? []), now].slice(-PACE_NODES_MOST);
  return [
    withPool(context, pool, { ...pool.status, asked: number, lately }),
    made(context, pool, { name, asked: now, workload: intent.workload }),
  ];
}

function outOfBounds(context: CommitContext, pool: NodePool): Rejection | undefined {
  const clock = {
    nowMs: context.nowMs,
    atMs: (_: NodePool, begun: JobMoment) => sinceMs(context, begun),
  };
  const bound = poolBound(context.ledger.objects, pool, clock);
  return bound && reject(bound.code, `${pool.key} ${bound.what}`, bound.expected, bound.actual);
}

function notNeeded(
  context: CommitContext,
  pool: NodePool,
  { workload }: IntentOf<"provision">,
): Rejection | undefined {
  const { ledger, nowMs } = context;
  const forMs = pendingForMs(pool);
  const { helped, refused } = poolNeed(ledger.objects, pool, {
    hasWaited: (replica) => nowMs - queuedSinceMs(context, replica) >= forMs,
    overrides: overridesInForce(ledger.objects, nowMs),
    named: workload,
  });
  if (helped.some((each) => each.workload === workload)) return undefined;
  const why = [...refused].map(([reason, { count }]) => `${count} ${reason}`).join(", ");
  const expected = `a replica waiting for room for ${forMs} ms`;
  return reject("provision-not-needed", workload, expected, why || "none");
}

/**
 * A wait that an earlier leadership wrote is counted from the beginning of this one: it may have
 * had another clock. A time that is still to come is certainly of another.
 */
const queuedSinceMs = (
  { ledger, nowMs }: CommitContext,
  { status: { stageSinceMs } }: Replica,
): number =>
  stageSinceMs > nowMs ? ledger.leadSinceMs : Math.max(stageSinceMs, ledger.leadSinceMs);

function made(
  context: CommitContext,
  pool: NodePool,
  { name, ...provision }: Provision & { readonly name: string },
): Change {
  const after: Node = {
    kind: "Node",
    key: nodeKey(name),
    meta: {
      namespace: "",
      name,
      uid: `u${context.next}` as Uid,
      generation: 1,
      revision: context.next,
      createdMs: context.nowMs,
      labels: pool.spec.labels ?? {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: poolNodeSpec(pool),
    status: {
      health: "unknown",
      healthSinceMs: context.nowMs,
      // As of any node that is made under the name of one that was deleted (OB9).
      session: context.ledger.objects.lease(leaseKey(name))?.status.session ?? 0,
      evidence: undefined,
      provision,
    },
  };
  return { key: after.key, before: undefined, after };
}

/** What who makes the machines says of one. */
export function checkProvisioned(context: CommitContext, intent: IntentOf<"provisioned">): Verdict {
  const key = nodeKey(intent.node);
  const node = context.ledger.objects.node(key);
  if (node === undefined) return missing(key);
  if (context.role !== "provisioner") return reject("not-owner", key, "provisioner", context.role);
  const { provision } = node.status;
  if (node.spec.pool === undefined || provision === undefined) {
    return reject("provision-told", key, "a node of a pool", "of none");
  }
  const { outcome } = intent;
  if (outcome === "gone") {
    return provision.scalingDown === undefined
      ? reject("provision-told", key, "a node being scaled down", "not being scaled down")
      : removal(context, node);
  }
  if (outcome === "asked") {
    return isProvisioning(node) &&
      provision.accepted === undefined &&
      provision.failed === undefined
      ? [withProvision(context, node, { ...provision, accepted: moment(context) })]
      : reject("provision-told", key, "not reported before", "reported before");
  }
  return failed(context, node, {
    provision,
    reason: sentence(outcome.failed) ?? "no reason given",
  });
}

/**
 * It will not come, or cannot be taken away; only the former is a reason not to ask for another.
 */
function failed(
  context: CommitContext,
  node: Node,
  { provision, reason }: { readonly provision: Provision; readonly reason: string },
): Verdict {
  if (provision.failed === reason || (isProvisioning(node) && provision.failed !== undefined)) {
    return reject("provision-told", node.key, "not reported before", "reported before");
  }
  const isOver = isProvisioning(node) || provision.scalingDown !== undefined;
  if (!isOver) {
    return reject("provision-told", node.key, "provisioning or being scaled down", "it is there");
  }
  const told = withProvision(context, node, { ...provision, failed: reason });
  return isProvisioning(node) ? [told, ...countFailure(context, node, reason)] : [told];
}

function withProvision(context: CommitContext, node: Node, provision: Provision): Change {
  const status = { ...node.status, provision };
  return changed<Node>(node, { ...node, meta: touched(node.meta, context.next), status });
}

/** A pool that was deleted meanwhile has nothing to wait for. */
function countFailure(context: CommitContext, { spec }: Node, reason: string): readonly Change[] {
  const pool = poolOf(context, spec.pool);
  if (pool === undefined) return [];
  const failures = (pool.status.failures ?? 0) + 1;
  return [
    withPool(context, pool, { ...pool.status, failures, failed: { ...moment(context), reason } }),
  ];
}

/** A provisioning node goes when it will not come, or has not come in its time (PN5). */
export function expireProvisioning(
  context: CommitContext,
  node: Node,
  intent: IntentOf<"expire">,
): Verdict {
  const { key, meta, spec, status } = node;
  const { evidence } = intent;
  if (context.role !== "provision") return reject("not-owner", key, "provision", context.role);
  if (evidence.kind !== "provision-over" || evidence.node !== meta.name) {
    return reject("evidence-wrong", key, meta.name, "another node");
  }
  const { provision } = status;
  if (!isProvisioning(node) || provision === undefined) {
    return reject("provision-not-over", key, "provisioning", "it is there");
  }
  if (provision.failed !== undefined) return removal(context, node);
  const pool = poolOf(context, spec.pool);
  const withinMs = pool === undefined ? 0 : readyWithinMs(pool);
  const waitedMs = context.nowMs - sinceMs(context, provision.asked);
  if (waitedMs < withinMs) {
    return reject("provision-not-over", key, `${withinMs} ms since it was requested`, waitedMs);
  }
  const gone = removal(context, node);
  return "code" in gone
    ? gone
    : [...gone, ...countFailure(context, node, "the node did not join in time")];
}

/**
 * Its agent has spoken: from now on it is a node like any other, and its pool is trusted again
 * (PN4).
 */
export function arrival(
  context: CommitContext,
  node: Node,
): { readonly node: Node; readonly pool: readonly Change[] } {
  const { provision } = node.status;
  if (!isProvisioning(node) || provision === undefined) return { node, pool: [] };
  const { supply: _, ...spec } = node.spec;
  const { failed: __, ...known } = provision;
  const arrived: Node = {
    ...node,
    meta: { ...node.meta, generation: node.meta.generation + 1 },
    spec,
    status: { ...node.status, provision: { ...known, arrived: moment(context) } },
  };
  const pool = poolOf(context, spec.pool);
  if (pool?.status.failures === undefined) return { node: arrived, pool: [] };
  const { failures: ___, failed: ____, ...status } = pool.status;
  return { node: arrived, pool: [withPool(context, pool, status)] };
}
