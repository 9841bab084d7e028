/**
 * [INV123] The last leader knows every acknowledged operation, as that very commit. [INV124] The
 * state of a follower equals the log up to its revision. [LIV51] In a healed world, a follower
 * reaches the end of the log.
 *
 * It would break if a new leader began before the end of the log, if a former leader kept checked
 * commands that never became durable, or if a follower skipped a snapshot or a gap before it.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { spaceOfCommit } from "../../../core/protocol/operation-space.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { KINDS, type ObjectKey, type OperationId, type Revision } from "../../../core/model/ids.ts";
import type { Checker, PlaneState, Report, Truth } from "../checker.ts";

/**
 * News of the log comes within half a second; a restarted plane follows twice. Written out on
 * purpose.
 */
const BEHIND_MS = 10_000;

class FollowersChecker implements Checker {
  readonly name = "followers";
  readonly ignoresRenewals = true;
  private readonly acknowledged = new Map<OperationId, Revision>();
  private readonly written = new Map<ObjectKey, Revision>();
  private readonly removed = new Map<ObjectKey, Revision>();
  private marks: { readonly atMs: number; readonly revision: Revision }[] = [];

  afterCommit(commit: Commit): void {
    for (const { key, after } of commit.changes) {
      if (after === undefined) this.removed.set(key, commit.revision);
      else this.written.set(key, commit.revision);
    }
  }

  replied(_to: string, operation: OperationId, reply: Reply): void {
    if (reply.kind !== "outcome" || reply.outcome.kind !== "committed") return;
    this.acknowledged.set(operation, reply.outcome.revision);
  }

  sampled(truth: Truth, report: Report): void {
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const { nowMs, commits } = truth;
    this.marks.push({ atMs: nowMs, revision: commits.length });
    const old = this.marks.filter(({ atMs }) => atMs <= nowMs - BEHIND_MS).at(-1);
    if (old === undefined) return;
    this.marks = this.marks.filter(({ atMs }) => atMs >= old.atMs);
    for (const { name, ledger } of truth.planes()) {
      if (ledger.revision >= old.revision) continue;
      report(
        "LIV51",
        `${name} has come to revision ${ledger.revision}; the log was at ${old.revision} ${nowMs - old.atMs} ms ago.`,
      );
    }
  }

  atEnd(truth: Truth, report: Report): void {
    for (const plane of truth.planes()) {
      if (plane.isLeading) this.knowsWhatWasPromised(plane, truth, report);
      else if (plane.isWaiting !== true) this.holdsTheLog(plane, truth, report);
    }
  }

  private knowsWhatWasPromised({ name, ledger }: PlaneState, truth: Truth, report: Report): void {
    for (const [operation, revision] of this.acknowledged) {
      const commit = truth.commits[revision - 1];
      // Renewals are not remembered: they have their own order.
      if (commit === undefined || commit.command === "lease") continue;
      const known = ledger.operations.of(spaceOfCommit(commit), operation)?.revision;
      if (known === revision) continue;
      const what = known === undefined ? "does not know of it" : `knows it as ${known}`;
      report(
        "INV123",
        `${operation} was acknowledged at revision ${revision}; ${name} leads and ${what}.`,
      );
    }
  }

  private holdsTheLog({ name, ledger }: PlaneState, truth: Truth, report: Report): void {
    const { revision, objects } = ledger;
    const say = (key: ObjectKey, what: string): void =>
      report("INV124", `${name} has followed to revision ${revision} and ${what}.`, key);
    for (const kind of KINDS) {
      for (const { key, meta } of truth.objects.all(kind).values()) {
        if (meta.revision > revision || objects.get(key)?.meta.revision === meta.revision) continue;
        const held = objects.get(key)?.meta.revision ?? "nothing";
        say(key, `holds ${held} of ${key}, which was written at ${meta.revision}`);
      }
      for (const { key } of objects.all(kind).values()) {
        const gone = this.removed.get(key);
        const isBack = (this.written.get(key) ?? 0) > (gone ?? 0);
        if (gone === undefined || gone > revision || isBack) continue;
        say(key, `still holds ${key}, which was removed at ${gone}`);
      }
    }
  }
}

export const createFollowersChecker = (): Checker => new FollowersChecker();
