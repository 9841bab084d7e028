/**
 * Incidents as people count them: crash loops of several replicas of one workload that lasted at
 * the same time are one.
 */
import type { ShownIncident } from "../../../../src/api/incidents/shown-incident.ts";

export interface FoldedIncident extends ShownIncident {
  /** Replicas that had it; 1 for everything else. */
  readonly replicas: number;
}

/** Newest first, both. */
export function foldIncidents(incidents: readonly ShownIncident[]): readonly FoldedIncident[] {
  const folded: FoldedIncident[] = [];
  /** By workload: where its newest crash loop is in `folded`. */
  const loops = new Map<string, number>();
  for (const incident of incidents) {
    const at = incident.kind === "CrashLoop" ? loops.get(incident.about) : undefined;
    const later = at === undefined ? undefined : folded[at];
    if (at !== undefined && later !== undefined && overlaps(incident, later)) {
      folded[at] = joined(incident, later);
      continue;
    }
    if (incident.kind === "CrashLoop") loops.set(incident.about, folded.length);
    folded.push({ ...incident, replicas: 1 });
  }
  return folded.toSorted((a, b) => b.began.revision - a.began.revision);
}

const overlaps = (earlier: ShownIncident, later: ShownIncident): boolean =>
  earlier.ended === undefined || earlier.ended.revision >= later.began.revision;

function joined(earlier: ShownIncident, later: FoldedIncident): FoldedIncident {
  const { began, message } = earlier;
  const replicas = later.replicas + 1;
  const [first, second] = [earlier.ended, later.ended];
  const lasts = first === undefined || second === undefined;
  const { ended: _, ...rest } = later;
  if (lasts) return { ...rest, began, message, replicas };
  return {
    ...rest,
    began,
    message,
    replicas,
    ended: first.revision > second.revision ? first : second,
  };
}
