/**
 * The logs of replicas, wherever they run: a reader asks the plane, the plane asks the node's agent
 * over the stream that agent keeps open, and the agent answers part by part on a path that is made
 * for this one request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { keyOf, type ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import { GROUP, VERSION } from "../group-version.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import type { LogRequest } from "./log-reading.ts";
import { addPath } from "./routes-objects.ts";
import { isTrue } from "../request/is-true.ts";
import { timesAskedOf, type TimesQuery } from "./log-times-query.ts";
import { AGENT_ANSWERS, asks, power } from "../access/route-rule.ts";

/** Of a replica under its own name, and as the pod that it is shown as. */
export const LOG_PATHS: ReadonlySet<string> = new Set([
  `/apis/${GROUP}/${VERSION}/namespaces/:namespace/replicas/:name/log`,
  "/api/v1/namespaces/:namespace/pods/:name/log",
]);

const LOG_OF_REPLICA = power("log", "replicas");

/** Twice what an agent sends at once. */
const PART_BYTES = 512 * 1024;

interface LogQuery extends TimesQuery {
  readonly follow?: string;
  readonly previous?: string;
  readonly tailLines?: string;
  readonly limitBytes?: string;
  readonly stream?: string;
  readonly container?: string;
}

/** What was asked for; `mostBytes` and `isAboutTimes` are for the plane alone. */
type LogWish = Omit<LogRequest, "replica"> & {
  readonly mostBytes?: number;
  readonly isAboutTimes: boolean;
};

export function addLogRoutes(app: FastifyInstance, context: ApiContext): void {
  for (const path of LOG_PATHS) {
    addPath(app, path, LOG_OF_REPLICA, (method) =>
      method === "GET" ? (request, reply) => readLog(context, request, reply) : undefined,
    );
  }
  void app.register(async (scope) => {
    // A part is bytes, and may begin in the middle of a character.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.post("/stream/logs/:id", { bodyLimit: PART_BYTES, ...asks(AGENT_ANSWERS) }, (request) =>
      takePart(context, request),
    );
  });
}

async function readLog(
  { plane, logs }: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { namespace, name } = request.params as { namespace: string; name: string };
  const { isAboutTimes, ...asked } = logRequestOf(request.query as LogQuery);
  const key = keyOf({ kind: "Replica", namespace, name });
  const about = { name, group: GROUP, kind: "replicas" };
  const status = (plane.objects.replica(key) ?? lastOf(plane, key))?.status;
  if (status === undefined) {
    throw new ApiError("not-found", `There is no replica ${name} in ${namespace}.`, about);
  }
  const { container = "" } = request.query as LogQuery;
  const workload = plane.objects.replica(key)?.spec.workload;
  if (container !== "" && container !== workload) {
    const only = `its only container is ${workload}`;
    throw new ApiError("bad-request", `container ${container} is not valid for ${name}: ${only}.`);
  }
  if (status.lastNode === undefined) {
    const detail = `${name} is ${status.stage} and has had no process yet; \`berth describe replica ${name}\` says why.`;
    throw new ApiError("not-found", detail, about);
  }
  const reading = logs.open(status.lastNode, { replica: key, ...asked }, callerKey(request));
  reply.raw.once("close", () => reading.end());
  const { isTimed } = await reading.first;
  if (isAboutTimes && isTimed !== true) reply.raw.setHeader("Warning", NO_TIMES);
  reply.hijack();
  reading.pipeTo(reply.raw);
}

const NO_TIMES =
  '299 - "sinceSeconds, sinceTime and timestamps have no effect: the lines of this log have no times, because an older agent started the process"';

/** A replica that is gone, as it was at its end: its node keeps the logs for a while. */
function lastOf({ past, revision }: PlanePort, key: ObjectKey): Replica | undefined {
  const [last] = past.touches(key, { upTo: revision, most: 1 }).touches;
  const before = last?.change.before;
  return before?.kind === "Replica" ? before : undefined;
}

const STREAMS: Readonly<Record<string, LogRequest["stream"]>> = {
  Stdout: "stdout",
  Stderr: "stderr",
  All: "all",
};

function logRequestOf(query: LogQuery): LogWish {
  const { follow, previous, tailLines, limitBytes, stream = "All" } = query;
  const chosen = STREAMS[stream];
  if (chosen === undefined) {
    throw new ApiError("bad-request", `stream is Stdout, Stderr or All; found "${stream}".`);
  }
  const lines = countOf("tailLines", tailLines);
  const bytes = countOf("limitBytes", limitBytes);
  if (bytes === 0) throw new ApiError("bad-request", "limitBytes is 1 or more.");
  const times = timesAskedOf(query);
  return {
    isAboutTimes: Object.keys(times).length > 0,
    ...times,
    stream: chosen,
    follow: isTrue(follow),
    previous: isTrue(previous),
    ...(lines === undefined ? {} : { tailLines: lines }),
    ...(bytes === undefined ? {} : { mostBytes: bytes }),
  };
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ApiError("bad-request", `${name} is a whole number, 0 or more; found "${text}".`);
}

async function takePart({ logs }: ApiContext, request: FastifyRequest): Promise<object> {
  const caller = callerOf(request);
  if (caller.kind !== "agent" && caller.kind !== "local") {
    throw new ApiError("not-allowed", "Only the agent of the node may send this log.");
  }
  const { id } = request.params as { id: string };
  const { part, last, times, refusal } = request.query as Readonly<
    Record<string, string | undefined>
  >;
  if (part === undefined || !/^\d{1,9}$/.test(part)) {
    throw new ApiError("bad-request", "Set the number of the part, from 0: ?part=NUMBER.");
  }
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const node = caller.kind === "agent" ? caller.name : undefined;
  const about = { number: Number(part), bytes, isLast: isTrue(last), isTimed: isTrue(times) };
  await logs.answer(id, refusal === undefined ? about : { ...about, refusal }, { node });
  return { taken: about.number };
}
