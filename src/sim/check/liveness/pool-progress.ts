/**
 * The part of node pools in `unfinished.ts`: a replica that waits for room gets a machine if a pool
 * may give one, a provisioning node comes or is given up, and an idle node is scaled down and goes.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { NodePool, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { MACHINES_OF_A_POOL } from "../../world/machine-provider.ts";
import type { Truth } from "../checker.ts";
import { feasibleNodes } from "../models/naive-fit.ts";
import { avoidedBy, holdingAt } from "../models/naive-overrides.ts";
import { rulesAt } from "../models/naive-policy.ts";
import { emptyNode, hasNowhere, Imagined, queuedReplicas } from "../models/naive-pools.ts";
import { preemptableNode } from "../models/naive-preemption.ts";
import type { Unfinished } from "./unfinished-work.ts";
import { workloadOf } from "../models/naive-wanted.ts";

/** The longest backoff of a pool after failures; written out, like the usual times below. */
const BACKOFF_MS = 600_000;
const PENDING_MS = 60_000;
const READY_MS = 600_000;

export function* poolsNotDone(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const { objects } = truth;
  const pools = [...objects.all("NodePool").values()];
  if (pools.length === 0) return;
  for (const { key, spec, status } of objects.all("Node").values()) {
    const { scalingDown } = status.provision ?? {};
    const isProvisioning = spec.pool !== undefined && spec.supply === "soft";
    if (!isProvisioning && scalingDown === undefined) continue;
    const pool = pools.find(({ meta }) => meta.name === spec.pool);
    const withinMs = isProvisioning ? (pool?.spec.readyWithinMs ?? READY_MS) : 0;
    const what = isProvisioning ? "is still provisioning" : "is to be given back, and still there";
    yield {
      rule: "LIV65",
      key,
      stuckAs: isProvisioning ? "provisioning" : "scaling-down",
      patienceMs: stallMs + 2 * withinMs,
      message: `${key} ${what}.`,
    };
  }
  yield* nodesNotGivenBack(pools, objects, stallMs);
  const waiting = queuedReplicas(objects).filter(
    (replica) => hasNowhere(objects, replica) && preemptableNode(objects, replica) === undefined,
  );
  for (const pool of pools) {
    const found = waiting.length === 0 ? undefined : notAsked(pool, waiting, truth);
    if (found !== undefined) yield { ...found, patienceMs: stallMs + found.patienceMs };
  }
}

/** The node is empty, no queued replica fits on it, and its pool scales such nodes down. */
function* nodesNotGivenBack(
  pools: readonly NodePool[],
  objects: ObjectIndex,
  stallMs: number,
): Iterable<Unfinished> {
  for (const node of objects.all("Node").values()) {
    const { provision } = node.status;
    const pool = pools.find(({ meta }) => meta.name === node.spec.pool);
    const idleMs = pool?.spec.idleAfterMs;
    if (idleMs === undefined || node.spec.supply === "soft") continue;
    if (provision?.scalingDown !== undefined || node.meta.deletingMs !== undefined) continue;
    const { name } = node.meta;
    const isUsed =
      [...objects.all("Replica").values()].some(({ status }) => status.node === name) ||
      [...objects.all("Reservation").values()].some(({ spec }) => roomOf(spec)?.node === name) ||
      queuedReplicas(objects).some((replica) => feasibleNodes(objects, replica).includes(node));
    if (isUsed) continue;
    yield {
      rule: "LIV65",
      key: node.key,
      stuckAs: "idle",
      patienceMs: stallMs + 2 * idleMs,
      message: `${node.key} is of no use to anybody, and is not given back.`,
    };
  }
}

function notAsked(
  pool: NodePool,
  waiting: readonly Replica[],
  { objects }: Truth,
): Unfinished | undefined {
  if (!mayAsk(pool, objects)) return undefined;
  const node = emptyNode(objects, pool);
  const imagined = new Imagined(objects, [node]);
  const helped = waiting.find(
    (replica) =>
      // A gang may be larger than the pool can ever be.
      workloadOf(objects, replica)?.spec.gang === undefined &&
      !isFrozen(objects, replica) &&
      imagined.takes(node, replica),
  );
  if (helped === undefined) return undefined;
  const { pendingForMs = PENDING_MS, pace, readyWithinMs = READY_MS } = pool.spec;
  const { asked = 0, failures = 0 } = pool.status;
  return {
    rule: "LIV64",
    key: pool.key,
    stuckAs: `${asked} asked for, ${failures} failed`,
    patienceMs: pendingForMs + pace.periodMs + readyWithinMs + (failures === 0 ? 0 : BACKOFF_MS),
    message: `${helped.key} waits for room, and ${pool.key} gives it no machine.`,
  };
}

/**
 * No node is provisioning already, and neither the pool's bounds nor an override prevents another.
 */
function mayAsk({ meta, spec, status }: NodePool, objects: ObjectIndex): boolean {
  const all = [...objects.all("Node").values()].filter((each) => each.spec.pool !== undefined);
  // The provisioning node may be the one that the replica waits for.
  if (all.some((each) => each.spec.supply === "soft")) return false;
  if (all.filter((each) => each.spec.pool === meta.name).length >= spec.maxNodes) return false;
  if ((status.asked ?? 0) >= MACHINES_OF_A_POOL) return false;
  const nobodys = { policy: "default" } as Replica["spec"]["template"];
  const rules = rulesAt(objects, nobodys, spec.region)?.provisioning;
  const here = all.filter((each) => each.spec.region === spec.region).length;
  if (rules?.maxNodes !== undefined && here >= rules.maxNodes) return false;
  const overrides = [...holdingAt(objects)];
  const isPaused = overrides.some(
    (each) =>
      each.spec.action === "pause-expansion" &&
      Object.values(each.spec.target).every((name) => name === undefined),
  );
  return (
    !isPaused &&
    avoidedBy(overrides, emptyNode(objects, { meta, spec, status } as NodePool)) === undefined
  );
}

const isFrozen = (objects: ObjectIndex, { meta }: Replica): boolean =>
  [...holdingAt(objects)].some(
    ({ spec }) => spec.action === "freeze-tenant" && spec.target.tenant === meta.namespace,
  );
