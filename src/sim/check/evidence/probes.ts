/**
 * [INV73] A replica that was ready and is not any more says which probe said so and when, and
 * nothing else is written about probes.
 *
 * It would break if an agent took a replica out of serving in silence, if one incarnation were
 * blamed for what another's probe found, or if every probe were written down, which on a node with
 * many replicas is a write for each every few seconds.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";

class ProbesChecker implements Checker {
  readonly name = "probes";

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      if (truth.isLying?.(before.status.node ?? "") === true) continue;
      const trouble = whyWrong(before, after, commit.atMs);
      if (trouble !== undefined) report("INV73", `${after.key} ${trouble}.`, after.key);
    }
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
