/**
 * [INV74] Probes that fail in a row are written at a bounded rate, and never for a replica that is
 * not starting.
 *
 * [INV73] A replica that was ready and is not any more says which probe said so and when, and
 * nothing else is written about probes.
 *
 * It would break if an agent took a replica out of serving in silence, if one incarnation were
 * blamed for what another's probe found, or if every probe were written down, which on a node with
 * many replicas is a write for each every few seconds.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** A little less than the agent waits, because its clock may run faster than true time. */
const SAME_FINDING_MS = 290_000;
const OTHER_FINDING_MS = 9_500;

class ProbesChecker implements Checker {
  readonly name = "probes";
  readonly ignoresRenewals = true;
  /** True time of the last write of a failing probe, by replica. */
  private readonly writtenMs = new Map<ObjectKey, number>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      // A person deleted it, and this is another object of the same name: INV191 checks that.
      if (before.meta.uid !== after.meta.uid) continue;
      if (truth.isLying?.(before.status.node ?? "") === true) continue;
      const trouble = whyWrong(before, after, commit.atMs);
      if (trouble !== undefined) report("INV73", `${after.key} ${trouble}.`, after.key);
      const excess = this.whyTooMany(before, after, truth.nowMs);
      if (excess !== undefined) report("INV74", `${after.key} ${excess}.`, after.key);
    }
  }

  private whyTooMany(before: Replica, after: Replica, nowMs: number): string | undefined {
    const { failingProbe: known } = before.status;
    const { failingProbe: told, stage } = after.status;
    if (told === undefined) {
      this.writtenMs.delete(after.key);
      return undefined;
    }
    if (JSON.stringify(known) === JSON.stringify(told)) return undefined;
    const lastMs = this.writtenMs.get(after.key);
    this.writtenMs.set(after.key, nowMs);
    if (stage !== "starting") return `tells of a failing probe in stage ${stage}`;
    if (known === undefined || lastMs === undefined) return undefined;
    if (known.sinceMs !== told.sinceMs) return "tells of a new row of failures without a success";
    const passedMs = nowMs - lastMs;
    const pauseMs = known.said === told.said ? SAME_FINDING_MS : OTHER_FINDING_MS;
    // A replica that comes back from unknown is reported again with its probe.
    if (before.status.stage !== stage || passedMs >= pauseMs) return undefined;
    return `tells of its failing probe ${passedMs} ms after the last time`;
  }
}

function whyWrong(before: Replica, after: Replica, atMs: number): string | undefined {
  const { stage: was, unready: known } = before.status;
  const { stage, unready, incarnation } = after.status;
  const wasReady = was === "ready" || was === "serving" || was === "running";
  const isLapse = wasReady && stage === "starting" && before.status.incarnation === incarnation;
  if (isLapse && (unready === undefined || unready.sinceMs !== atMs || unready.said === "")) {
    return `went from ${was} to ${stage} in incarnation ${incarnation} without the probe that said so`;
  }
  if (JSON.stringify(known) === JSON.stringify(unready)) return undefined;
  if (was === stage) return `was written again for a probe that changed nothing in stage ${stage}`;
  if (unready === undefined) {
    return was === "bound" ? undefined : `forgot what a probe found on its way to ${stage}`;
  }
  return stage === "starting" ? undefined : `blames a probe for ${stage}`;
}

export const createProbesChecker = (): Checker => new ProbesChecker();
