/**
 * [INV22] At the moment of its commit no bind puts a replica into a place with one that it must be
 * kept apart from, whichever of the two asked for it, and none goes beyond the cap of the node or
 * of the workload.
 *
 * It would break if anti-affinity were only looked at from the newcomer's side, if a command that
 * binds many were checked one by one against what was there before it, or if caps were left to the
 * scheduler's view.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey } from "../../core/model/ids.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";
import { brokenCap, everyPlaced, keptApartFrom, type Placed } from "./models/naive-neighbours.ts";

class ApartChecker implements Checker {
  readonly name = "apart";
  readonly ignoresRenewals = true;

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    const arrivals = arrivalsOf(commit, truth);
    if (arrivals.length === 0) return;
    const others = [...everyPlaced(truth.objects)];
    for (const arrival of arrivals) {
      check(arrival, others, report);
      // The next of the same commit is checked as if this one were there.
      others.push(arrival);
    }
  }
}

function arrivalsOf(commit: Commit, truth: Truth): readonly Placed[] {
  const found: Placed[] = [];
  for (const change of commit.changes) {
    const { before, after } = change;
    if (after?.kind !== "Replica" || !isHolding(after) || keepsBinding(change)) continue;
    const { node: name } = after.status;
    if (name === undefined || (before?.kind === "Replica" && before.status.node === name)) continue;
    const node = truth.objects.node(nodeKey(name));
    if (node !== undefined) found.push({ replica: after, node });
  }
  return found;
}

function check(arrival: Placed, others: readonly Placed[], report: Report): void {
  const { replica, node } = arrival;
  const what = `${replica.key} was bound to ${node.meta.name}`;
  const other = keptApartFrom(arrival, others);
  if (other !== undefined) {
    const where = other.status.node === undefined ? "beside it" : `on ${other.status.node}`;
    report("INV22", `${what} and must be kept apart from ${other.key} ${where}.`, replica.key);
  }
  const cap = brokenCap(arrival, others);
  if (cap !== undefined) report("INV22", `${what}, which ${cap}.`, replica.key);
}

export const createApartChecker = (): Checker => new ApartChecker();
