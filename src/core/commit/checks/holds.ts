/**
 * Whose a cordon and a drain are. Several people and programs keep a node from new work at once,
 * each for a reason of its own; lifting another's hold would let work come to a machine under
 * repair (MT1).
 */
import type { Cordon } from "../../model/node/cordon.ts";
import type { Node, NodeSpec, NodeStatus } from "../../model/objects.ts";
import type { DrainTerms } from "../../model/node/drain.ts";
import { APPROVAL_HOLDER } from "../../model/node/node-approval.ts";
import type { PutOf } from "../../protocol/command.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sameValue } from "../validate/same-value.ts";

export function heldByAnother(
  { actorName, role }: CommitContext,
  held: Node,
  { desired, force }: PutOf<"Node">,
): Rejection | undefined {
  if (force === true) return undefined;
  const isApproved = role === "user" && approves(held.spec.cordons, desired.spec.cordons);
  const cordons = changedHolders(held.spec.cordons, desired.spec.cordons).filter(
    (holder) => holder !== APPROVAL_HOLDER || !isApproved,
  );
  const cordoned = cordons.find((holder) => holder !== actorName);
  if (cordoned !== undefined) {
    return reject("not-holder", `${held.key} spec.cordons`, cordoned, actorName);
  }
  const drains = [termsOf(held.spec), termsOf(desired.spec)];
  if (sameValue(drains[0], drains[1])) return undefined;
  const drained = drains.find((terms) => terms !== undefined && terms.holder !== actorName);
  return drained && reject("not-holder", `${held.key} spec.drain`, drained.holder, actorName);
}

/**
 * Takes off the hold of a node that waits for approval: any operator may, and no one can add it by
 * hand (NR5).
 */
const approves = (before: readonly Cordon[], after: readonly Cordon[]): boolean =>
  heldBy(APPROVAL_HOLDER, before).length > 0 && heldBy(APPROVAL_HOLDER, after).length === 0;

/** Those whose entries are others than before, in the order of their names. */
function changedHolders(before: readonly Cordon[], after: readonly Cordon[]): readonly string[] {
  const holders = new Set([...before, ...after].map(({ holder }) => holder));
  return [...holders]
    .toSorted()
    .filter((holder) => !sameValue(heldBy(holder, before), heldBy(holder, after)));
}

const heldBy = (holder: string, cordons: readonly Cordon[]): readonly Cordon[] =>
  cordons.filter((cordon) => cordon.holder === holder);

/** Terms that a node has which is not draining mean nothing, so they have no holder. */
const termsOf = ({ draining, drain }: NodeSpec): DrainTerms | undefined =>
  draining ? drain : undefined;

/** A drain with a deadline is counted from when it began on the terms it has now (MT3). */
export function drainAfter(
  { nowMs, ledger }: CommitContext,
  held: Pick<Node, "status"> & { readonly spec?: NodeSpec },
  { spec, generation }: { readonly spec: NodeSpec; readonly generation: number },
): NodeStatus {
  const { drain, ...status } = held.status;
  const terms = termsOf(spec);
  if (terms?.deadlineMs === undefined) return drain === undefined ? held.status : status;
  const isSame = held.spec !== undefined && sameValue(termsOf(held.spec), terms);
  if (isSame && drain !== undefined) return held.status;
  return { ...status, drain: { generation, sinceMs: nowMs, epoch: ledger.epoch } };
}
