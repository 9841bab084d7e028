/**
 * What all checks about node pools share: which pool is meant, what the time is, and when a moment
 * was.
 */
import type { JobMoment } from "../../model/batch.ts";
import { nodePoolKey, type NodePoolStatus } from "../../model/node/node-pool.ts";
import type { Node, NodePool } from "../../model/objects.ts";
import type { PutOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, changed, touched } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export const poolOf = (
  { ledger }: CommitContext,
  name: string | undefined,
): NodePool | undefined => {
  const held = name === undefined ? undefined : ledger.objects.get(nodePoolKey(name));
  return held?.kind === "NodePool" ? held : undefined;
};

export const moment = ({ ledger, nowMs }: CommitContext): JobMoment => ({
  atMs: nowMs,
  epoch: ledger.epoch,
});

/** Of an earlier leadership it is only known that it is older than this one. */
export const sinceMs = ({ ledger }: CommitContext, begun: JobMoment): number =>
  begun.epoch === ledger.epoch ? begun.atMs : ledger.leadSinceMs;

export function withPool(context: CommitContext, pool: NodePool, status: NodePoolStatus): Change {
  const after: NodePool = { ...pool, meta: touched(pool.meta, context.next), status };
  return changed<NodePool>(pool, after);
}

/**
 * Which pool a node is of is known by how it came to be, and whether it is there by its agent's
 * word alone: a writer of either would make room out of nothing (PN4).
 */
export function poolFixed(
  held: Node | undefined,
  { key, desired }: PutOf<"Node">,
): Rejection | undefined {
  const was = held?.spec;
  const { pool, supply } = desired.spec;
  if (pool !== was?.pool) {
    return reject("pool-fixed", `${key} spec.pool`, was?.pool ?? "none", pool ?? "none");
  }
  if (pool === undefined || supply === was?.supply) return undefined;
  return reject("pool-fixed", `${key} spec.supply`, was?.supply ?? "hard", supply ?? "hard");
}
