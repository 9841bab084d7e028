/**
 * [INV50] A commit that binds a member of a gang leaves no member without a node. In a healed
 * world, no member without a node holds quota for much longer than the gang's deadline.
 *
 * It would break if stopping members counted as present, if a scheduler bound the members that fit
 * and left the rest for later, or if a gang that waits for something else forgot to release its
 * quota.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { type ObjectKey, workloadKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isThere, membersOf } from "./models/naive-gangs.ts";

/** A relist, a resync and a few looks. Written out, so that a slower component is found. */
const SLACK_MS = 120_000;

class GangsChecker implements Checker {
  readonly name = "gangs";
  readonly ignoresRenewals = true;
  /** Since when, in a healed world, each queued incarnation of a gang has been seen. */
  private since = new Map<string, number>();

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    const gangs = new Set<Workload>();
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Replica" || after.status.node === undefined) continue;
      if (before?.kind === "Replica" && before.status.node !== undefined) continue;
      const gang = gangOf(after, truth);
      if (gang !== undefined) gangs.add(gang);
    }
    for (const gang of gangs) {
      const away = membersOf(truth.objects, gang).find((member) => !isThere(member));
      if (away === undefined) continue;
      const is = away.replica === undefined ? "not there" : away.replica.status.stage;
      const what = `${commit.operation} bound some of ${gang.key} while ${away.key} is ${is}`;
      report("INV50", `${what} and has no node to stay on.`, away.key);
    }
  }

  sampled(truth: Truth, report: Report): void {
    const { nowMs, world } = truth;
    // While faults go on, the admit controller may be unable to give quota back.
    if (nowMs < world.faultsUntilMs) return;
    const since = new Map<string, number>();
    for (const replica of truth.objects.all("Replica").values()) {
      if (replica.status.stage !== "queued") continue;
      const gang = gangOf(replica, truth);
      if (gang?.spec.gang === undefined) continue;
      const incarnation = `${replica.meta.uid} ${replica.status.incarnation}`;
      const sinceMs = this.since.get(incarnation) ?? nowMs;
      since.set(incarnation, sinceMs);
      if (nowMs - sinceMs > gang.spec.gang.deadlineMs + SLACK_MS)
        hold(report, replica.key, gang, nowMs - sinceMs);
    }
    this.since = since;
  }
}

function hold(report: Report, key: ObjectKey, gang: Workload, ms: number): void {
  const said = gang.spec.gang?.deadlineMs ?? 0;
  report(
    "INV50",
    `${key} held quota for ${ms} ms without a node; ${gang.key} said ${said} ms.`,
    key,
  );
}

/** The gang that wants this replica. */
function gangOf({ meta, spec }: Replica, truth: Truth): Workload | undefined {
  const workload = truth.objects.workload(workloadKey(meta.namespace, spec.workload));
  if (workload?.spec.gang === undefined || workload.meta.uid !== spec.workloadUid) return undefined;
  return workload.status.templateGeneration === spec.generation ? workload : undefined;
}

export const createGangsChecker = (): Checker => new GangsChecker();
