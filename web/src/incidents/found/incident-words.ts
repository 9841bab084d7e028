/** Words for incidents of the log, and where each leads. */
import type { ShownIncident } from "../../../../src/api/incidents/shown-incident.ts";
import { hrefOf } from "../../app/route.ts";
import { ageText } from "../../parts/age-text.ts";

export const INCIDENT_NAMES: Readonly<Record<ShownIncident["kind"], string>> = {
  NodeFenced: "Node fenced",
  RolloutFailed: "Rollout failed",
  CrashLoop: "Crash loop",
  ObjectiveMissed: "Recovery objective missed",
  SloBreached: "Objective breached",
};

/** The replay of the moment at which it could not be undone any more. */
export const replayOf = ({ began }: Pick<ShownIncident, "began">): string =>
  hrefOf("incidents", ["moment", `${began.revision}`]);

/** `about` is `node/NAME` or `workload/TENANT/NAME`; an objective has no timeline. */
export const timelineOf = (about: string): string | undefined =>
  about.startsWith("slo/") ? undefined : hrefOf("timeline", about.split("/"));

/** e.g. "3m20s", "2h so far" */
export function lastedText({ began, ended }: ShownIncident, nowMs: number): string {
  const beganMs = Date.parse(began.time);
  if (ended === undefined) return `${ageText(nowMs - beganMs)} so far`;
  return ageText(Date.parse(ended.time) - beganMs);
}
