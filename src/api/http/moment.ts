/** The moment a request asks about, as a revision: named itself, or by the time of the commits. */
import type { Revision } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { parseDuration } from "../../quantity/duration.ts";
import { ApiError } from "../errors.ts";

export interface MomentQuery {
  readonly revision?: string | undefined;
  /** RFC 3339, or how long ago: `10m`. */
  readonly at?: string | undefined;
}

/** Undefined: now. */
export async function momentOf(
  plane: PlanePort,
  { revision, at }: MomentQuery,
  nowMs: number,
): Promise<Revision | undefined> {
  if (revision !== undefined && revision !== "") {
    if (at !== undefined && at !== "") {
      throw new ApiError("bad-request", "Found both revision and at; keep one of them.");
    }
    return revisionNamed(plane, revision);
  }
  if (at === undefined || at === "") return undefined;
  const atMs = parseMoment(at, nowMs);
  if (atMs >= nowMs) return plane.revision;
  const found = await plane.past.revisionAt(atMs);
  if (found.kind === "found") return found.revision;
  throw new ApiError("expired", tooOld(at, found.oldest, found.oldestMs));
}

function revisionNamed(plane: PlanePort, text: string): Revision {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new ApiError("bad-request", `revision is "${text}"; it is a whole number, 1 or more.`);
  }
  const revision = Number(text);
  if (revision <= plane.revision) return revision;
  throw new ApiError("bad-request", `revision is ${revision}; the newest is ${plane.revision}.`);
}

function parseMoment(text: string, nowMs: number): number {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined && agoMs >= 0) return nowMs - agoMs;
  const atMs = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new ApiError(
    "bad-request",
    `at is "${text}"; it is a time such as 2030-01-31T12:00:00Z, or how long ago: 90s, 10m, 2h.`,
  );
}

function tooOld(at: string, oldest: Revision, oldestMs: number | undefined): string {
  const since = oldestMs === undefined ? "" : ` of ${new Date(oldestMs).toISOString()}`;
  return `Requested ${at}; the oldest commit in the log is revision ${oldest}${since}.`;
}
