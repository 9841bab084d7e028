/**
 * A check of what the log adds up to. It is shown the state that the replay begins with and every
 * commit after it, and asked at the end. None of them asks the authority's own checks, which may
 * have made the mistake that is looked for.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { CheckName, Report } from "./check-names.ts";

export interface StateCheck {
  /**
   * Called again when a part of the log could not be replayed and it goes on from a later snapshot.
   */
  begin(objects: ObjectIndex): void;
  afterCommit?(commit: Commit, report: Report): void;
  atEnd(objects: ObjectIndex, revision: number, report: Report): void;
  /** How much was looked at. */
  counts(): Readonly<Partial<Record<CheckName, number>>>;
}

/** Which replicas own room on a node, written down once more on purpose. */
export function isHolding({ status }: Replica): boolean {
  switch (status.stage) {
    case "bound":
    case "starting":
    case "ready":
    case "serving":
    case "running":
    case "unknown":
      return true;
    default:
      return false;
  }
}
