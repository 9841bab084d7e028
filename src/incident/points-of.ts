/**
 * The points of no return in a commit: from here on the plane acts on the incident, and waiting
 * would not have helped any more.
 */
import { incidentSigns, incidentSubject, incidentText } from "../core/explain/incident-sign.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { Commit } from "../core/protocol/commit-record.ts";

/** One sentence for each, with the object first. */
export function pointsOf({ changes }: Pick<Commit, "changes">): readonly string[] {
  return changes.flatMap(({ before, after }) => {
    if (after === undefined) return [];
    const was = new Map(signsOf(before));
    return incidentSigns(after).flatMap(({ kind, state, sinceMs }) => {
      if (state !== "bad" || was.get(kind) === "bad") return [];
      // A later failure of a loop: only the one that made it a loop is a point.
      if (kind === "CrashLoop" && sinceMs === undefined) return [];
      return [`${incidentSubject(after)}: ${incidentText(kind, after)}`];
    });
  });
}

const signsOf = (object: AnyObject | undefined) =>
  object === undefined
    ? []
    : incidentSigns(object).map(({ kind, state }) => [kind, state] as const);
