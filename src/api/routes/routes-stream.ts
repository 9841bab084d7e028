/**
 * The core's own objects and commits for agents: a list of what is on a node, and a stream of what
 * changes there. A stream goes on from the list's revision; bookmarks say how far it has come when
 * nothing concerns the node, because an agent decides only on a view it knows the age of.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, type Revision } from "../../core/model/ids.ts";
import { type Interest, wants } from "../../core/observe/interest.ts";
import { listObjects } from "../../core/observe/list-objects.ts";
import { inEarlierWords } from "../../host/earlier-words.ts";
import { AGENT_PROTOCOL } from "../../shell/agent-protocol.ts";
import { callerKey } from "../bounds/caller-key.ts";
import { readOf } from "../access/read-of.ts";
import { ApiError } from "../errors.ts";
import { GROUP, VERSION } from "../group-version.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import type { StreamGap } from "./agent-streams.ts";
import type { ApiContext } from "../http/api-context.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { isOfEarlierAgent } from "../request/earlier-agent.ts";
import { commitLines } from "../watch/commit-lines.ts";
import { LineStream } from "../http/line-stream.ts";
import { parseResourceVersion } from "../list/resource-version.ts";
import { jsonTexts, listPieces, sendPieces } from "../http/send-pieces.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

/** Which node an agent may ask for, the handlers check. */
const FOR_AGENTS: RouteRule = { kind: "filtered", by: "the node of the agent that asks" };
const OF_NODE: RouteRule = { kind: "filtered", by: "the node that ?node= names" };

export function addStreamRoutes(app: FastifyInstance, context: ApiContext): void {
  const { plane, streams, clock, authorizer } = context;

  app.get("/stream/list", asks(FOR_AGENTS), (request, reply) => {
    const interest = ownInterest(request);
    const { revision, epoch } = plane;
    const objects = listObjects(plane.objects, interest);
    const isEarlier = isOfEarlierAgent(request);
    const head = JSON.stringify({
      revision,
      epoch,
      ...(isEarlier ? {} : { protocol: AGENT_PROTOCOL }),
    });
    const texts = isEarlier ? jsonTexts(objects, inEarlierWords) : jsonTexts(objects);
    return sendPieces(context, reply, listPieces(`${head.slice(0, -1)},"objects":[`, texts, "]}"));
  });

  // What the plane itself has seen of the stream: for people who look at a silent node.
  app.get("/stream/state", asks(OF_NODE), (request) => {
    const node = nodeOf(request);
    const caller = callerOf(request);
    refuseOtherAgents(caller, node);
    if (caller.kind !== "agent") authorizer.require(caller, readOf(nodeKey(node)));
    const stream = streams.of(node, clock.nowMs());
    if (stream === undefined) return { node, isOpen: false };
    const { isOpen, sinceMs, gap } = stream;
    return { node, isOpen, since: rfc3339Millis(sinceMs), ...(gap && { gap: shownGap(gap) }) };
  });

  app.get("/stream/watch", asks(FOR_AGENTS), (request, reply) => {
    const interest = ownInterest(request);
    const { from } = request.query as { readonly from?: string };
    const start = parseResourceVersion(from);
    if (start === undefined)
      throw new ApiError("bad-request", "from must be the revision of the list.");
    const missed = plane.since(start);
    // A revision from the future belongs to another log: following on from it would skip this one.
    if (missed === undefined || start > plane.revision) {
      throw new ApiError("expired", `Requested ${start}, current: ${plane.revision}.`);
    }
    reply.hijack();
    follow(context, interest, { reply, missed });
  });
}

function follow(
  { plane, hub, limits, lines: agents, streams, clock, bounds }: ApiContext,
  interest: Interest,
  { reply, missed }: { readonly reply: FastifyReply; readonly missed: readonly Commit[] },
): void {
  let at: Revision = plane.revision;
  const ended = streams.opened(interest.node ?? "", clock.nowMs());
  const { raw: response } = reply;
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-cache" });
  response.flushHeaders();
  const shownAs = isOfEarlierAgent(reply.request) ? inEarlierWords : undefined;
  const linesOf = (commits: readonly Commit[]): Generator<Buffer> =>
    commitLines(commits, { to: at, epoch: plane.epoch, bytes: limits.turnBytes, shownAs });
  const lines = new LineStream({
    response,
    limits,
    caller: callerKey(reply.request),
    bounds: bounds.watches,
    first: linesOf(ofInterest(missed, interest)),
    // The agent comes back with the revision it has, and is told there whether it must list again.
    tooSlow: () => undefined,
    onClosed: () => {
      clearInterval(bookmarks);
      ended(at, clock.nowMs());
      leave();
      detach();
    },
  });
  // Who wants a log of this node, or to know of it, asks the plane that leads: that is where its
  // agent belongs.
  const sendIfLeading = (commits: readonly Commit[]): void => {
    if (plane.isShared && !plane.isLeading) lines.end();
    else for (const line of linesOf(commits)) lines.send(line);
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
  const detach = agents.attach(interest.node ?? "", (asked) => lines.send(asked));
  bounds.watches.limitStreams(interest.node ?? "", { response, end: () => lines.end() });
  lines.pump();
}

const shownGap = ({ fromMs, toMs, revision }: StreamGap) => ({
  since: rfc3339Millis(fromMs),
  ...(toMs === undefined ? {} : { until: rfc3339Millis(toMs) }),
  revision,
});

/**
 * Each commit with the changes the agent may see; what happens on other nodes is none of its
 * business.
 */
function ofInterest(commits: readonly Commit[], interest: Interest): readonly Commit[] {
  return commits.flatMap((commit) => {
    const changes = commit.changes.filter((change) => wants(interest, change));
    return changes.length === 0 ? [] : [{ ...commit, changes }];
  });
}

/**
 * What is on the node, for its agent alone. The stream carries the environment of processes and the
 * requests for logs, and it counts as the agent's presence: a reader beside the agent would be
 * asked for logs in its place (ID7).
 */
function ownInterest(request: FastifyRequest): Interest {
  const node = nodeOf(request);
  const caller = callerOf(request);
  refuseOtherAgents(caller, node);
  if (caller.kind !== "agent" && caller.kind !== "local") {
    throw new ApiError(
      "not-allowed",
      `The stream of node ${node} is for its agent; this is the token of the ${caller.kind} ${caller.name}. Watch replicas instead: /apis/${GROUP}/${VERSION}/replicas?watch=true.`,
    );
  }
  return { kinds: new Set(["Replica"]), node };
}

function refuseOtherAgents({ kind, name }: Caller, node: string): void {
  if (kind !== "agent" || name === node) return;
  throw new ApiError("not-allowed", `The agent of node ${name} asked for node ${node}.`);
}

function nodeOf(request: FastifyRequest): string {
  const { node } = request.query as { readonly node?: string };
  if (typeof node === "string" && node !== "") return node;
  throw new ApiError("bad-request", "Set the node of the stream: ?node=NAME.");
}
