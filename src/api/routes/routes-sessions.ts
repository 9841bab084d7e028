/**
 * Sessions with replicas: a command in one (exec), or a connection to one of its ports
 * (portforward). A session is a WebSocket of the client and one of the node's agent, joined here.
 * Before the agent is asked, the session is committed as a change of the workload, by its caller:
 * only callers who may change the workload get one, and the audit trail has it whatever happens
 * afterwards.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { keyOf } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import { PROTOCOLS } from "../../shell/web-socket/channels.ts";
import { acceptOf, WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import { callerKey } from "../bounds/caller-key.ts";
import { ApiError } from "../errors.ts";
import { GROUP, VERSION } from "../group-version.ts";
import type { ApiContext } from "../http/api-context.ts";
import { callerOf } from "../http/caller.ts";
import { checkNotRevoked } from "../http/authenticate.ts";
import { notLeading } from "../http/status-error.ts";
import { isTrue } from "../request/is-true.ts";
import { upgradeOf } from "../sessions/accept-upgrades.ts";
import { recordSession } from "../sessions/record-session.ts";
import type { SessionRequest } from "../sessions/session-relay.ts";
import { addPath } from "./routes-objects.ts";
import { AGENT_ANSWERS, asks, power } from "../access/route-rule.ts";

const REPLICA = `/apis/${GROUP}/${VERSION}/namespaces/:namespace/replicas/:name`;
const POD = "/api/v1/namespaces/:namespace/pods/:name";

const SESSION = power("exec", "replicas");

type Read = (request: FastifyRequest, replica: Replica, limits: Bounds) => SessionRequest;
interface Bounds {
  readonly commandBytes: number;
}

export function addSessionRoutes(app: FastifyInstance, context: ApiContext): void {
  const add = (path: string, read: Read): void =>
    addPath(app, path, SESSION, (method) =>
      // kubectl posts where it speaks an older protocol: it is told so.
      method === "GET" || method === "POST"
        ? (request, reply) => begin(context, { request, reply, read })
        : undefined,
    );
  for (const path of [REPLICA, POD]) add(`${path}/exec`, readExec);
  add(`${REPLICA}/portforward`, readForward);
  addPath(app, `${POD}/portforward`, SESSION, (method) =>
    method === "GET" || method === "POST"
      ? () => Promise.reject(new ApiError("bad-request", NO_KUBECTL_FORWARD))
      : undefined,
  );
  app.get("/stream/sessions/:id", asks(AGENT_ANSWERS), (request, reply) =>
    answer(context, request, reply),
  );
}

const NO_KUBECTL_FORWARD =
  "The port-forward of kubectl is not supported: use `berth port-forward REPLICA LOCAL:PORT`.";

const NEEDS_WEBSOCKET =
  "A session needs a WebSocket with v5.channel.k8s.io or v4.channel.k8s.io: use `berth exec`, or kubectl 1.31 or newer.";

async function begin(
  context: ApiContext,
  of: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly read: Read },
): Promise<void> {
  const { request, reply, read } = of;
  const { plane, sessions, limits } = context;
  // Agents bring their sessions to the plane that leads.
  if (!plane.isLeading) throw notLeading();
  const { namespace, name } = request.params as { namespace: string; name: string };
  const replica = plane.objects.replica(keyOf({ kind: "Replica", namespace, name }));
  const about = { name, group: GROUP, kind: "replicas" };
  if (replica === undefined) {
    throw new ApiError("not-found", `There is no replica ${name} in ${namespace}.`, about);
  }
  const asked = read(request, replica, limits);
  const protocol = protocolOf(request);
  const upgrade = upgradeOf(request);
  if (upgrade === undefined || protocol === undefined) {
    throw new ApiError("bad-request", NEEDS_WEBSOCKET);
  }
  const { node } = replica.status;
  if (node === undefined) {
    const detail = `${name} is ${replica.status.stage} and has no process; \`berth describe replica ${name}\` says why.`;
    throw new ApiError("not-found", detail, about);
  }
  sessions.checkAgent(node);
  const leave = sessions.take({ node, tenant: namespace, caller: callerKey(request) });
  reply.raw.once("close", leave);
  try {
    await recordSession(context, request, { replica, asked });
    // The commit may have taken a while.
    checkNotRevoked(request);
    const agent = await sessions.ask(node, asked);
    if (reply.raw.destroyed) {
      agent.close(1000, "the client has left");
      return;
    }
    reply.hijack();
    const client = accept(request, protocol);
    sessions.join(client, agent, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** The connection that an agent opens for a session that it was asked for. */
async function answer(
  { sessions }: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const caller = callerOf(request);
  if (caller.kind !== "agent" && caller.kind !== "local") {
    throw new ApiError("not-allowed", "Only the agent of the node may answer for this session.");
  }
  const { id } = request.params as { id: string };
  const { answered } = sessions.answer(id, caller.kind === "agent" ? caller.name : undefined);
  const protocol = protocolOf(request);
  if (upgradeOf(request) === undefined || protocol === undefined) {
    throw new ApiError("bad-request", NEEDS_WEBSOCKET);
  }
  reply.hijack();
  answered(accept(request, protocol));
}

/** The newest that both know. */
function protocolOf({ headers }: FastifyRequest): string | undefined {
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const isKnown = headers["sec-websocket-version"] === "13";
  return isKnown && headers["sec-websocket-key"] !== undefined
    ? PROTOCOLS.find((protocol) => offered.includes(protocol))
    : undefined;
}

function accept(request: FastifyRequest, protocol: string): WebSocketLink {
  const upgrade = upgradeOf(request);
  if (upgrade === undefined) throw new ApiError("bad-request", NEEDS_WEBSOCKET);
  const key = request.headers["sec-websocket-key"] ?? "";
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${acceptOf(key)}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  upgrade.socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return new WebSocketLink({ ...upgrade, side: "server" });
}

function readExec(
  request: FastifyRequest,
  replica: Replica,
  { commandBytes }: Bounds,
): SessionRequest {
  // A command has several words of the same name; elsewhere the last of several values counts.
  const query = new URLSearchParams(request.url.split("?")[1] ?? "");
  const command = query.getAll("command");
  const container = query.get("container") ?? "";
  if (command.length === 0 || command[0] === "") {
    throw new ApiError("bad-request", "An exec needs a command: ?command=WORD&command=WORD.");
  }
  if (command.some((word) => word.includes("\0"))) {
    throw new ApiError("bad-request", "A command cannot have a NUL character.");
  }
  if (Buffer.byteLength(command.join(" ")) > commandBytes) {
    throw new ApiError("bad-request", `A command has at most ${commandBytes} bytes.`);
  }
  if (container !== "" && container !== replica.spec.workload) {
    const only = `its only container is ${replica.spec.workload}`;
    throw new ApiError("bad-request", `container ${container} is not valid: ${only}.`);
  }
  const stdin = isTrue(query.get("stdin") ?? undefined);
  const tty = isTrue(query.get("tty") ?? undefined);
  return { kind: "exec", replica: replica.key, uid: replica.meta.uid, command, stdin, tty };
}

function readForward(request: FastifyRequest, replica: Replica): SessionRequest {
  const { port = "" } = request.query as { readonly port?: string };
  if (!/^[a-z0-9-]{1,63}$/.test(port)) {
    throw new ApiError("bad-request", "A port-forward needs the name or number of a port: ?port=.");
  }
  return { kind: "forward", replica: replica.key, uid: replica.meta.uid, port };
}
