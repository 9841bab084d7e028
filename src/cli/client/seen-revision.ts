/**
 * The newest revision that a command has seen, so that what it is shown afterwards is never older,
 * whichever plane it speaks to by then. A plane of the same log never shows less than was
 * acknowledged; one that does so all the same is asked again, and says when it cannot.
 */
import { recordOf, textOf } from "../../steering/api-object.ts";

/** Events count for themselves: their versions are no revisions of the log. */
const EVENTS = /\/events(?:\/|$)/;
const COLLECTION = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?[^/]+$/;

export class SeenRevision {
  private newest = 0;

  /** An object, a list, a table, or something without a version. */
  note(path: string, shown: unknown): void {
    if (!EVENTS.test(path)) this.newest = Math.max(this.newest, revisionOf(shown));
  }

  /** What to ask instead, when this list is older than what was seen. */
  insteadOf(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    shown: unknown,
  ): Readonly<Record<string, string>> | undefined {
    const isPresent = query["resourceVersion"] === undefined && query["continue"] === undefined;
    if (!isPresent || EVENTS.test(path) || !COLLECTION.test(path)) return undefined;
    const revision = revisionOf(shown);
    if (revision === 0 || revision >= this.newest) return undefined;
    return { resourceVersion: String(this.newest), resourceVersionMatch: "NotOlderThan" };
  }
}

/** 0 where there is none. */
function revisionOf(shown: unknown): number {
  const text = textOf(recordOf(recordOf(shown)["metadata"])["resourceVersion"]);
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
