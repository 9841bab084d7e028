/**
 * Whether a recovery that is under way counts every replica that is missing at once: each `recover`
 * notes as many as are missing then, its controller sends one as soon as its view shows more, and
 * the authority does not take that for no news. A conflict says what the authority knew, so it is
 * compared with that very revision, however late it is heard.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../../core/protocol/decision.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { type ObjectKey, type Revision, workloadKey } from "../../../core/model/ids.ts";
import type { View } from "../../../core/observe/view.ts";
import type { Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";
import { lossNotNoted } from "../models/naive-recovery.ts";

/** Revisions at which more were missing than noted; `to` is left out while that goes on. */
interface Short {
  readonly from: Revision;
  to?: Revision;
  readonly what: string;
}

export class RecoveryLosses {
  private readonly shorts = new Map<ObjectKey, Short[]>();

  afterCommit(commit: Commit, { objects }: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const key of workloadsIn(commit)) {
      const workload = objects.workload(key);
      const known = this.shorts.get(key);
      if (workload?.status.recovery?.under === undefined && known === undefined) continue;
      const what = lossNotNoted(objects, workload);
      if (what !== undefined && commit.command === "recover") {
        report("INV111", `${key}: ${what}`, key);
      }
      const last = known?.at(-1);
      const isOpen = last !== undefined && last.to === undefined;
      if (isOpen && what !== last.what) last.to = commit.revision - 1;
      if (what === undefined || (isOpen && last.to === undefined)) continue;
      const short = { from: commit.revision, what };
      if (known === undefined) this.shorts.set(key, [short]);
      else known.push(short);
    }
  }

  decided(records: readonly DecisionRecord[], { objects }: View, report: Report): void {
    for (const { controller, key, decision } of records) {
      if (controller !== "keep-recovery") continue;
      const isSent =
        decision.kind === "propose" && decision.intents.some(({ kind }) => kind === "recover");
      const what = isSent ? undefined : lossNotNoted(objects, objects.workload(key));
      if (what === undefined) continue;
      report("INV111", `${controller} lets ${key} be, and in its view ${what}`, key);
    }
  }

  replied(reply: Reply, report: Report): void {
    if (reply.kind !== "outcome" || reply.outcome.kind !== "conflict") return;
    const { code, field, revision } = reply.outcome;
    if (code !== "recovery-not-due") return;
    const key = field as ObjectKey;
    const short = this.shorts
      .get(key)
      ?.find(({ from, to = Number.POSITIVE_INFINITY }) => from <= revision && revision <= to);
    if (short === undefined) return;
    report("INV111", `The authority has no news of ${key} at ${revision}: ${short.what}`, key);
  }
}

/** Each workload that the commit changes, itself or in a replica. */
function workloadsIn({ changes }: Commit): ReadonlySet<ObjectKey> {
  const keys = new Set<ObjectKey>();
  for (const { before, after } of changes) {
    const object = after ?? before;
    if (object?.kind === "Workload") keys.add(object.key);
    if (object?.kind === "Replica") {
      keys.add(workloadKey(object.meta.namespace, object.spec.workload));
    }
  }
  return keys;
}
