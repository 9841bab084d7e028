/**
 * How far one replica has come. Every stage change has exactly one owner; the authority refuses
 * anyone else (ST1), so two controllers can never pull one replica in two directions.
 */
import type { Role } from "./actor.ts";
import type { ObjectKey } from "./ids.ts";

export const STAGES = [
  "admitted",
  "queued",
  "bound",
  "starting",
  "ready",
  "serving",
  "running",
  "succeeded",
  "unknown",
  "failed",
  "released",
] as const;
export type Stage = (typeof STAGES)[number];

/** Stages in which a replica owns capacity on a node and may have a process there. */
const HOLDING: ReadonlySet<Stage> = new Set([
  "bound",
  "starting",
  "ready",
  "serving",
  "running",
  "unknown",
]);
export const holdsNode = (stage: Stage): boolean => HOLDING.has(stage);

/** Stages that no controller moves on, except by giving the index another incarnation. */
const RESTING: ReadonlySet<Stage> = new Set(["succeeded", "failed", "released"]);
export const isResting = (stage: Stage): boolean => RESTING.has(stage);

/** Why a replica that holds a node was asked to stop. */
export type StopReason =
  | "surplus"
  | "drain"
  /** The policy revision that it was bound under was left for an earlier one. */
  | "policy"
  | "quota"
  | "preempted"
  | "rollout"
  | "replaced"
  /** A person deleted it; its index begins again (ST90). */
  | "deleted"
  /** The job that it was of is over. */
  | "finished"
  /** It was bound while its region was partitioned, and was not confirmed. */
  | "unconfirmed";

/** Stages a node agent may report for a process that exists. */
export const AGENT_STAGES = ["starting", "ready", "serving", "running"] as const;
/** Stages a node agent may report once the process is gone. */
export const AGENT_ENDINGS = ["succeeded", "failed", "released"] as const;

const READY: ReadonlySet<Stage> = new Set(["ready", "serving", "running"]);

/** Whether its process was found ready and has not ended. */
export const isReadyStage = (stage: Stage): boolean => READY.has(stage);

const AGENT_LIVE: readonly Stage[] = AGENT_STAGES;
const AGENT_END: readonly Stage[] = AGENT_ENDINGS;

/** Who may move a replica from one stage to another; undefined when no role may. */
export function ownerOf(from: Stage | "none", to: Stage): Role | undefined {
  switch (to) {
    case "admitted":
      return from === "none" || from === "released" || from === "failed" ? "admit" : undefined;
    case "queued":
      return from === "admitted" ? "admit" : undefined;
    case "bound":
      return from === "queued" ? "place" : undefined;
    case "unknown":
      return from !== "none" && from !== "unknown" && holdsNode(from) ? "node-health" : undefined;
    case "released":
      if (from === "admitted" || from === "queued") return "admit";
      // A process that is gone is reported by its agent; one that was lost is released by repair.
      return from !== "none" && holdsNode(from) ? "release-lost" : undefined;
    default:
      return agentMay(from, to) ? "agent" : undefined;
  }
}

/** The agent alone sees the process, so it may jump between the stages it owns in any direction. */
export function agentMay(from: Stage | "none", to: Stage): boolean {
  if (from === "none" || !holdsNode(from)) return false;
  return AGENT_LIVE.includes(to) || AGENT_END.includes(to);
}

export interface Stopping {
  /** "quota": another tenant is entitled to its quota, or its tenant's quota shrank. */
  readonly reason: StopReason;
  readonly sinceMs: number;
  /** The preemptor, when it was preempted. */
  readonly by?: ObjectKey;
}
