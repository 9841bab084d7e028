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
import { rfc3339Millis } from "../rfc3339.ts";
import type { StreamGap } from "./agent-streams.ts";
import type { ApiContext } from "./api-context.ts";
import { callerOf } from "./caller.ts";
import { LineStream } from "./line-stream.ts";
import { parseResourceVersion } from "./resource-version.ts";

export function addStreamRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane, streams, clock } = context;

  app.get("/stream/list", (request) => {
    const interest = interestOf(request);
    const { revision, epoch } = plane;
    return { objects: listObjects(plane.objects, interest), revision, epoch };
  });

  // What the plane itself has seen of the stream: for people who look at a silent node.
  app.get("/stream/state", (request) => {
    const { node = "" } = interestOf(request);
    const stream = streams.of(node, clock.nowMs());
    if (stream === undefined) return { node, isOpen: false };
    const { isOpen, sinceMs, gap } = stream;
    return { node, isOpen, since: rfc3339Millis(sinceMs), ...(gap && { gap: shownGap(gap) }) };
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
  { plane, hub, limits, logs, streams, clock }: ApiContext,
  interest: Interest,
  { reply, missed }: { readonly reply: FastifyReply; readonly missed: readonly Commit[] },
): void {
  let at: Revision = plane.revision;
  const line = (commits: readonly Commit[], to: Revision): Buffer =>
    Buffer.from(`${JSON.stringify({ commits, to, epoch: plane.epoch })}\n`);
  const ended = streams.opened(interest.node ?? "", clock.nowMs());
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
      ended(at, clock.nowMs());
      leave();
      detach();
    },
  });
  // Who wants a log of this node, or to know of it, asks the plane that leads: that is where its agent belongs.
  const sendIfLeading = (commits: readonly Commit[]): void => {
    if (plane.isShared && !plane.isLeading) lines.end();
    else lines.send(line(commits, at));
  };
  // An agent whose stream is silent for three of these knows that it is cut off.
  const bookmarks = setInterval(() => sendIfLeading([]), limits.bookmarkEveryMs);
  const leave = hub.addReader({
    read: (commits, to) => {
      const news = ofInterest(
        commits.filter(({ revision }) => revision > at),
        interest,
      );
      at = Math.max(at, to);
      if (news.length > 0) sendIfLeading(news);
    },
    end: () => lines.end(),
  });
  const detach = logs.attach(interest.node ?? "", (wish) => lines.send(wish));
  lines.pump();
}

const shownGap = ({ fromMs, toMs, revision }: StreamGap) => ({
  since: rfc3339Millis(fromMs),
  ...(toMs === undefined ? {} : { until: rfc3339Millis(toMs) }),
  revision,
});

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
