/**
 * [INV190] A replica is deleted by a person and by name, while it has a process or waits to be
 * started again. It keeps its node until its process is gone. [INV191] Its index then begins again
 * as another object, and no other replica changes its uid.
 *
 * It would break if a controller took a deletion for its own, if a deletion freed what still runs,
 * or if the next incarnation were the deleted object: clients that wait for its end would wait for
 * ever.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isHolding } from "./models/holding.ts";

class RestartsChecker implements Checker {
  readonly name = "restarts";
  readonly ignoresRenewals = true;

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      const marked = after.meta.deletingMs;
      if (marked === undefined && before.meta.deletingMs === undefined) {
        if (before.meta.uid === after.meta.uid) continue;
        report("INV191", `${after.key} has another uid, and was not deleted.`, after.key);
      } else if (before.meta.deletingMs === undefined) checkMark(before, after, commit, report);
      else checkMarked(before, after, report);
    }
  }
}

function checkMark(before: Replica, after: Replica, commit: Commit, report: Report): void {
  const { key, status } = after;
  const { command, actor, changes } = commit;
  const wrong = (what: string): void => report("INV190", `${key} was deleted ${what}.`, key);
  if (command !== "delete" || actor.role !== "user" || changes.length > 1) {
    wrong(`by ${command} of ${actor.role} ${actor.name}, with ${changes.length - 1} others`);
  }
  const isFailed = before.status.stage === "failed";
  if (!isFailed && !isHolding(before)) wrong(`while it was ${before.status.stage}`);
  if (before.status.superseded !== undefined) wrong("after it was replaced");
  if (status.stage !== before.status.stage || status.node !== before.status.node) {
    wrong("and lost its node before its process ended");
  }
  if (!isFailed && status.stopping === undefined) wrong("and not asked to stop");
}

function checkMarked(before: Replica, after: Replica, report: Report): void {
  const { key, meta, status } = after;
  const isSame = before.meta.uid === meta.uid;
  const isAgain = before.status.incarnation !== status.incarnation;
  const isMarked = meta.deletingMs !== undefined;
  if (isSame ? isMarked && !isAgain : isAgain && !isMarked) return;
  const what = isSame ? "under the same uid" : "under another uid";
  const goes = isMarked ? "being deleted" : "not being deleted any more";
  report(
    "INV191",
    `${key} was deleted and is in incarnation ${status.incarnation} ${what}, ${goes}.`,
    key,
  );
}

export const createRestartsChecker = (): Checker => new RestartsChecker();
