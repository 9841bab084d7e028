/**
 * Which replicas of a workload stand still, and why: what the controller that moves them on waits
 * for, in its own words, or only where they are while it has said nothing.
 */
import type { WaitReason } from "../../core/protocol/decision.ts";
import { isJob } from "../../core/model/batch.ts";
import type { Workload } from "../../core/model/objects.ts";
import type { OwedBy } from "../../host/decision-log.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { wantedNow } from "../kinds/status/batch-status.ts";
import { stageReason, waitsForQuota } from "../kinds/status/stage-reason.ts";
import { causeOf } from "./cause-of.ts";
import type { StageTally } from "./tally-stages.ts";
import type { PendingCell, StandingReason } from "./view-rows.ts";

type Port = Pick<PlanePort, "objects" | "decisions">;

interface Standing {
  readonly count: number;
  readonly reason: StandingReason;
  readonly text: string;
  /** Whether a wait is about these replicas. */
  readonly isAbout: (wait: OwedBy) => boolean;
}

const RESTART: WaitReason = "restart-backoff";
const isFirst = ({ controller, reason }: OwedBy): boolean =>
  controller === "admit" && reason !== RESTART;
const isRestart = ({ controller, reason }: OwedBy): boolean =>
  controller === "admit" && reason === RESTART;
const byPlace = ({ controller }: OwedBy): boolean => controller.startsWith("place");

export function pendingOf(
  plane: Port,
  workload: Workload,
  tally: StageTally,
): readonly PendingCell[] {
  const standing = standingOf(plane, workload, tally).filter(({ count }) => count > 0);
  if (standing.length === 0) return [];
  const waits = plane.decisions.owedAbout(workload.key);
  const cells = new Map<string, PendingCell>();
  for (const each of standing) {
    const cell = cellOf(plane, workload, { each, wait: waits.find(each.isAbout) });
    const name = `${cell.by} ${cell.reason}`;
    const known = cells.get(name);
    cells.set(name, known === undefined ? cell : { ...known, count: known.count + cell.count });
  }
  return [...cells.values()].toSorted((a, b) => b.count - a.count);
}

function standingOf({ objects }: Port, workload: Workload, tally: StageTally): Standing[] {
  const { stages, there } = tally;
  const wanted = isJob(workload) ? wantedNow(workload, objects) : workload.spec.replicas;
  const missing = workload.meta.deletingMs === undefined ? wanted - there : 0;
  return [
    { count: missing, reason: "not-admitted", text: "is not admitted yet", isAbout: isFirst },
    {
      count: stages.admitted ?? 0,
      reason: "waiting-for-quota",
      text: waitsForQuota(objects, workload.meta.namespace).message,
      isAbout: isFirst,
    },
    {
      count: stages.queued ?? 0,
      reason: "waiting-for-node",
      text: stageReason("queued").message,
      isAbout: byPlace,
    },
    {
      count: stages.failed ?? 0,
      reason: "failed",
      text: stageReason("failed").message,
      isAbout: isRestart,
    },
    {
      count: stages.unknown ?? 0,
      reason: "node-silent",
      text: stageReason("unknown").message,
      isAbout: () => false,
    },
  ];
}

function cellOf(
  { decisions }: Port,
  { key, spec }: Workload,
  { each, wait }: { readonly each: Standing; readonly wait: OwedBy | undefined },
): PendingCell {
  const { count, reason, text } = each;
  const unsaid = { text, cause: text, restarts: null };
  if (wait === undefined) return { reason, count, by: "", ...unsaid };
  const said = decisions.about(key).find(({ controller }) => controller === wait.controller);
  const isSaid = said?.decision.kind === "wait" && said.decision.reason === wait.reason;
  const because = isSaid ? said.decision.because : undefined;
  return {
    reason: wait.reason,
    count,
    by: wait.controller,
    ...(because === undefined
      ? unsaid
      : {
          text: because.summary,
          cause: causeOf(because, spec.template.ask.amounts),
          restarts: because.restarts?.[0]?.dueMs ?? null,
        }),
  };
}
