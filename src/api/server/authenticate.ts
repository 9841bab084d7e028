/**
 * Who may speak to the server. Without tokens it serves its own machine only; with tokens, whoever has one:
 * a user and a controller all of the API, an agent what its own node needs. Which commands each of them may
 * send to the authority directly, `check-sender.ts` says.
 */
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { GROUP, VERSION } from "../group-version.ts";
import type { Caller } from "./caller.ts";
import { isForDashboard } from "./routes-web.ts";

export interface ApiToken {
  readonly token: string;
  readonly kind: Exclude<Caller["kind"], "local">;
  /** Of the user, of the controller, or of the agent's node. */
  readonly name: string;
}

export interface ApiAuth {
  readonly tokens: readonly ApiToken[];
}

/**
 * Asked by load balancers and probes, which have no token; they tell nothing but that the server is there. The files of the
 * dashboard are open, too: it has to be there to ask for a token.
 */
const OPEN_PATHS: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz"]);
const AGENT_PATHS = /^\/(?:commands|metrics-samples$|stream\/|operations\/)/;
/** Longer than any name that people are called by; the same as for field managers. */
const NAME_MAX = 128;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

export const isLoopback = (address: string): boolean =>
  LOOPBACK.test(address) || address === "localhost";

export function createAuthenticate(auth: ApiAuth | undefined): (request: FastifyRequest) => Caller {
  if (auth === undefined) return localCaller;
  // Looked up by hash: how long that takes says nothing about the tokens themselves.
  const callers = new Map(
    auth.tokens.map(({ token, kind, name }): [string, Caller] => [hash(token), { kind, name }]),
  );
  return (request) => {
    const path = request.url.split("?")[0] ?? "";
    if (OPEN_PATHS.has(path) || isForDashboard(request)) return { kind: "user", name: "anonymous" };
    const caller = callers.get(hash(bearerOf(request)));
    if (caller === undefined) {
      throw new ApiError("not-authenticated", "Its token is not one that this server knows.");
    }
    const as = spokenFor(request);
    if (as !== undefined && as !== caller.name) {
      throw new ApiError(
        "not-allowed",
        `Its token is that of ${caller.name}, who may not speak as ${as}: leave out Impersonate-User.`,
      );
    }
    if (caller.kind === "agent" && !AGENT_PATHS.test(path) && !isJoining(request, path)) {
      throw new ApiError(
        "not-allowed",
        `An agent's token opens /commands, /metrics-samples, /stream and /operations, and creates its own node; this is ${path}.`,
      );
    }
    return caller;
  };
}

/** An agent introduces its node by itself; whose node it is, `create` looks at. */
const isJoining = ({ method }: FastifyRequest, path: string): boolean =>
  method === "POST" && path === `/apis/${GROUP}/${VERSION}/nodes`;

/**
 * The name that `kubectl --as` and `berth --as` send. Who is on the plane's own machine may everything, and says
 * whose name is to stand in the log; a token has a name already.
 */
function spokenFor({ headers }: FastifyRequest): string | undefined {
  const given = headers["impersonate-user"];
  const name = Array.isArray(given) ? given[0] : given;
  if (name === undefined || name === "") return undefined;
  if (name.length <= NAME_MAX && !/[^\x20-\x7E]/.test(name)) return name;
  throw new ApiError(
    "bad-request",
    `Impersonate-User is at most ${NAME_MAX} printable characters long.`,
  );
}

function bearerOf(request: FastifyRequest): string {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() === "bearer" && token !== undefined && token !== "") return token;
  throw new ApiError("not-authenticated", "Send a token: Authorization: Bearer TOKEN.");
}

/**
 * A page in a local browser can reach this machine's ports under a name of its own choosing. Such a request
 * names that host, so only the loopback's own names are let in.
 */
function localCaller(request: FastifyRequest): Caller {
  const { host = "" } = request.headers;
  if (!LOOPBACK.test(request.ip)) {
    throw new ApiError(
      "not-authenticated",
      "Without tokens the server serves its own machine only: configure tokens.",
    );
  }
  if (!LOOPBACK_HOST.test(host)) {
    throw new ApiError(
      "not-authenticated",
      `Without tokens the server answers under its own machine's names only, and this went to "${host.slice(0, 100)}": use localhost or 127.0.0.1 in the address, or configure tokens.`,
    );
  }
  return { kind: "local", name: spokenFor(request) ?? "local" };
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
