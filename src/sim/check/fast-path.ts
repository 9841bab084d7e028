/**
 * Nearly every commit of a run is a lease renewal or a stage report, and most checkers have nothing
 * to learn from either. These two questions are answered from the commit alone; the log checker
 * vouches for what they take for granted (that a renewal touches a lease and nothing else, and that
 * `before` is what was there), and so keeps the other shadows honest.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { isHolding } from "./models/holding.ts";

export const isRenewal = (commit: Commit): boolean =>
  commit.command === "lease" && commit.changes.length === 1;

/**
 * Whether a change leaves it as it was who holds what where: a report from one live stage to
 * another. In the queue a replica holds quota, which it does not before.
 */
export function keepsBinding({ before, after }: Change): boolean {
  return (
    before?.kind === "Replica" &&
    after?.kind === "Replica" &&
    before.status.node === after.status.node &&
    before.status.incarnation === after.status.incarnation &&
    before.status.deviceIds === after.status.deviceIds &&
    before.spec === after.spec &&
    before.meta.uid === after.meta.uid &&
    isHolding(before) === isHolding(after) &&
    (before.status.stage === "queued") === (after.status.stage === "queued")
  );
}
