/**
 * A watch of the audit trail: a line for every commit that is told of, oldest first, and how far
 * the log has come. Who comes back says which revision it has seen, and is told what came after it.
 */
import type { FastifyReply } from "fastify";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import { auditEntry } from "../audit/audit-entry.ts";
import { entrySeen } from "../access/entry-seen.ts";
import { type AuditFilter, isAudited } from "../audit/read-audit.ts";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { admitWatch, openWatch } from "./admit-watch.ts";
import { LineStream } from "../http/line-stream.ts";

export interface AuditWatch {
  readonly reply: FastifyReply;
  readonly filter: AuditFilter;
  /** Left out: from now on. */
  readonly after: Revision | undefined;
  readonly timeoutMs: number;
}

export function watchAudit(context: ApiContext, of: AuditWatch): void {
  const { plane, limits, hub, bounds } = context;
  const { reply, filter, timeoutMs } = of;
  let at = plane.revision;
  const missed = of.after === undefined ? [] : plane.since(of.after);
  if (missed === undefined) {
    throw ApiError.worded("expired", `too old resource version: ${of.after} (${at})`);
  }
  admitWatch(context, reply);
  reply.hijack();
  const { raw: response } = reply;
  openWatch(response);
  bounds.seats.answered(response);
  const mark = (): void => lines.send(lineOf({ type: "bookmark", revision: at }));
  const end = (): void => {
    mark();
    lines.end();
  };
  const lines = new LineStream({
    response,
    limits,
    bounds: bounds.watches,
    caller: callerKey(reply.request),
    first: linesOf(missed, filter),
    // The client comes back with the revision it has, and is told there whether some of it is gone.
    tooSlow: () => undefined,
    onClosed: () => {
      clearTimeout(timeout);
      clearInterval(bookmarks);
      leave();
    },
  });
  const leave = hub.addReader({
    read: (commits, to) => {
      // What came before the watch began was part of its first lines.
      const later = commits.filter(({ revision }) => revision > at);
      for (const line of linesOf(later, filter)) lines.send(line);
      at = Math.max(at, to);
    },
    end,
  });
  context.openReads.add(response, { isStill: () => !filter.sight.hasChanged(), end });
  const timeout = setTimeout(end, timeoutMs);
  const bookmarks = setInterval(mark, limits.bookmarkEveryMs);
  lines.pump();
}

function* linesOf(commits: readonly Commit[], filter: AuditFilter): Generator<Buffer, undefined> {
  for (const commit of commits) {
    const entry = isAudited(commit, filter) ? auditEntry(commit) : undefined;
    if (entry !== undefined) yield lineOf({ type: "entry", ...entrySeen(entry, filter.sight) });
  }
}

const lineOf = (line: object): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);
