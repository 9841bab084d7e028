/**
 * The core's own objects and commits for agents: a list of what is on a node, and a stream of what changes
 * there. A stream goes on from the list's revision; bookmarks say how far it has come when nothing concerns
 * the node, because an agent decides only on a view it knows the age of.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Commit } from "../../core/commit/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";
import { type Interest, wants } from "../../core/observe/interest.ts";
import { listObjects } from "../../core/observe/list-objects.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "./api-context.ts";
import { callerOf } from "./caller.ts";
import { LineStream } from "./line-stream.ts";
import { parseResourceVersion } from "./resource-version.ts";

/** As often as a lease is renewed: an agent whose stream is silent for longer knows that it is cut off. */
const BOOKMARK_EVERY_MS = 5_000;

export function addStreamRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane } = context;

  app.get("/stream/list", (request) => {
    const interest = interestOf(request);
    const { revision, epoch } = plane;
    return { objects: listObjects(plane.objects, interest), revision, epoch };
  });

  app.get("/stream/watch", (request, reply) => {
    const interest = interestOf(request);
    const { from } = request.query as { readonly from?: string };
    const start = parseResourceVersion(from);
    if (start === undefined) throw new ApiError("bad-request", "from is the list's revision.");
    const missed = plane.since(start);
    // A revision from the future belongs to another log: following on from it would skip this one.
    if (missed === undefined || start > plane.revision) {
      throw new ApiError("expired", `Asked for ${start}, now at ${plane.revision}.`);
    }
    reply.hijack();
    follow(context, interest, { reply, missed });
  });
}

function follow(
  { plane, hub, limits, logs }: ApiContext,
  interest: Interest,
  { reply, missed }: { readonly reply: FastifyReply; readonly missed: readonly Commit[] },
): void {
  let at: Revision = plane.revision;
  const line = (commits: readonly Commit[], to: Revision): Buffer =>
    Buffer.from(`${JSON.stringify({ commits, to, epoch: plane.epoch })}\n`);
  const { raw: response } = reply;
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-cache" });
  response.flushHeaders();
  const lines = new LineStream({
    response,
    maxBytes: limits.watchBufferBytes,
    first: [line(ofInterest(missed, interest), at)].values(),
    // The agent comes back with the revision it has, and is told there whether it must list again.
    tooSlow: () => undefined,
    onClosed: () => {
      clearInterval(bookmarks);
      leave();
      detach();
    },
  });
  const bookmarks = setInterval(() => lines.send(line([], at)), BOOKMARK_EVERY_MS);
  const leave = hub.addReader({
    read: (commits, to) => {
      const news = ofInterest(
        commits.filter(({ revision }) => revision > at),
        interest,
      );
      at = Math.max(at, to);
      if (news.length > 0) lines.send(line(news, at));
    },
    end: () => lines.end(),
  });
  const detach = logs.attach(interest.node ?? "", (wish) => lines.send(wish));
  lines.pump();
}

/** Each commit with the changes the agent may see; what happens on other nodes is none of its business. */
function ofInterest(commits: readonly Commit[], interest: Interest): readonly Commit[] {
  return commits.flatMap((commit) => {
    const changes = commit.changes.filter((change) => wants(interest, change));
    return changes.length === 0 ? [] : [{ ...commit, changes }];
  });
}

function interestOf(request: FastifyRequest): Interest {
  const { node } = request.query as { readonly node?: string };
  if (node === undefined || node === "") {
    throw new ApiError("bad-request", "Say which node the stream is for: ?node=NAME.");
  }
  const caller = callerOf(request);
  if (caller.kind === "agent" && caller.name !== node) {
    throw new ApiError("not-allowed", `The agent of node ${caller.name} asked for node ${node}.`);
  }
  return { kinds: new Set(["Replica"]), node };
}
