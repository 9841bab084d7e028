/**
 * [INV193] What is collected for its owners has owners, and none of them exists at that moment.
 *
 * It would break if the authority took the word of a view that is older than a change of the
 * owners: what a person had just given another owner would be deleted with all that runs in it.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Uid } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";

class OwnersChecker implements Checker {
  readonly name = "owners";
  /** The uid of everything that exists, kept from the commits alone. */
  private readonly alive = new Map<ObjectKey, Uid>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (commit.actor.role === "collect-owned") {
      for (const { before, after } of commit.changes) {
        if (before !== undefined && (after === undefined || isMarked(before, after))) {
          this.collected(before, report);
        }
      }
    }
    for (const { key, after } of commit.changes) {
      if (after === undefined) this.alive.delete(key);
      else this.alive.set(key, after.meta.uid);
    }
  }

  private collected({ key, meta }: AnyObject, report: Report): void {
    const { owners = [] } = meta;
    if (owners.length === 0) report("INV193", `${key} was collected, and has no owner.`, key);
    for (const owner of owners) {
      if (this.alive.get(owner.key) !== owner.uid) continue;
      report("INV193", `${key} was collected, and its owner ${owner.key} exists.`, key);
    }
  }
}

const isMarked = (before: AnyObject, after: AnyObject): boolean =>
  before.meta.deletingMs === undefined && after.meta.deletingMs !== undefined;

export const createOwnersChecker = (): Checker => new OwnersChecker();
