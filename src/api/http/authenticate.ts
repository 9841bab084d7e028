/**
 * Who may speak to the server. Without tokens it serves its own machine only; with tokens, every
 * holder of one: a user and a controller all of the API, an agent what its own node needs. Which
 * commands each of them may send to the authority directly, `check-sender.ts` says. A token that is
 * revoked ends what is open under it.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { loginName } from "../../shell/login-name.ts";
import { ApiError } from "../errors.ts";
import { GROUP, VERSION } from "../group-version.ts";
import { ANONYMOUS_CALLER, callerOf, type Caller, type Joins, setCaller } from "./caller.ts";
import type { Credential } from "./credential.ts";
import type { Certificates, IsNode } from "../identity/certificates.ts";
import { refuseCrossSite } from "./refuse-cross-site.ts";
import { isForDashboard } from "../routes/routes-web.ts";
import { type ApiToken, TokenRegistry } from "../identity/token-registry.ts";
import { VOUCHED, type Voucher } from "../identity/voucher.ts";
import { notLeading } from "./status-error.ts";

export interface ApiAuth {
  readonly tokens: readonly ApiToken[];
}

/** What a plane reads from its files. */
export interface PlaneAuth {
  readonly registry: TokenRegistry;
  /** Asked in turn for a bearer token that is not in the list. */
  readonly bearers: readonly BearerProof[];
  /** Asked where a request has no token; left out: certificates are not asked for. */
  readonly certificates?: Certificates;
}

/** What the log of the plane says about those who ask. */
export interface KnownByPlane {
  readonly isNode: IsNode;
  /** By which planes believe each other; left out: this one has no signer. */
  readonly voucher?: Voucher | undefined;
  /** Tokens that the plane itself has signed. */
  readonly own: readonly BearerProof[];
}

export type GivenAuth = ApiAuth | PlaneAuth | TokenRegistry;

/** Knows callers by tokens of a kind of its own. */
export interface BearerProof {
  /** Undefined: it is of another kind. Throws why it is refused. */
  find(token: string): Promise<Credential | undefined>;
}

/**
 * Asked by load balancers and probes, which have no token; they tell nothing but that the server is
 * there. The files of the dashboard are open, too: it has to be there to ask for a token.
 */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  "/healthz",
  "/livez",
  "/readyz",
  // Others check tokens of replicas with them.
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
]);
export const CERTIFICATES_PATH = "/node-certificates";
const AGENT_PATHS = /^\/(?:commands|metrics-samples$|stream\/|operations\/|node-certificates$)/;
/** Longer than any name that people are called by; the same as for field managers. */
const NAME_MAX = 128;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

export const isLoopback = (address: string): boolean =>
  LOOPBACK.test(address) || address === "localhost";

/** Every request gets its caller; what is answered under a token ends with the token. */
export function addAuthentication(
  app: FastifyInstance,
  auth: GivenAuth | undefined,
  knownByPlane: KnownByPlane,
): void {
  const authenticate = createAuthenticate(auth, knownByPlane);
  app.addHook("onRequest", (request, reply, done) => {
    refuseCrossSite(request);
    const enter = (known: Caller): void => {
      const caller = { ...addressOf(request), ...known };
      setCaller(request, caller);
      caller.credential?.opened(reply.raw);
      done();
    };
    const known = authenticate(request);
    // Most callers are known at once, and a promise would cost each of them a turn.
    if (known instanceof Promise) known.then(enter, done);
    else enter(known);
  });
  // Its body may have taken a while, or its turn: a token that was revoked meanwhile changes
  // nothing any more.
  app.addHook("preHandler", (request, _, done) => {
    checkNotRevoked(request);
    done();
  });
}

/** Asked again between the parts of a request that changes many objects. */
export function checkNotRevoked(request: FastifyRequest): void {
  if (callerOf(request).credential?.isRevoked === true) throw revoked();
}

function createAuthenticate(
  auth: GivenAuth | undefined,
  known: KnownByPlane,
): (request: FastifyRequest) => Caller | Promise<Caller> {
  if (auth === undefined) return localCaller;
  const find = createFind(auth, known);
  const findVouched = createFindVouched(auth, known);
  return (request) => {
    const path = request.url.split("?")[0] ?? "";
    if (isOpen(request, path) || isForDashboard(request)) {
      return ANONYMOUS_CALLER;
    }
    const vouched = findVouched(request);
    if (vouched !== undefined) {
      const { credential, address } = vouched;
      const caller = callerWith(credential, request, path);
      return address === undefined ? caller : { ...caller, address };
    }
    const found = find(request);
    return found instanceof Promise
      ? found.then((credential) => callerWith(credential, request, path))
      : callerWith(found, request, path);
  };
}

function callerWith(credential: Found, request: FastifyRequest, path: string): Caller {
  if (credential === undefined) {
    throw new ApiError("not-authenticated", "The server does not know this token.");
  }
  if (credential.isRevoked || credential.hasExpired(Date.now())) throw revoked();
  const caller = { ...credential.caller, credential };
  const as = spokenFor(request);
  if (caller.kind === "local") return { ...caller, name: as ?? caller.name };
  if (as !== undefined && as !== caller.name) {
    throw new ApiError(
      "not-allowed",
      `${caller.name} may not act under the name ${as}: only administrators may send Berth-As.`,
    );
  }
  if (caller.joins !== undefined) {
    checkBootstrap(caller.joins, request, path);
    return caller;
  }
  if (caller.kind === "agent" && !AGENT_PATHS.test(path) && !isJoining(request, path)) {
    throw new ApiError(
      "not-allowed",
      `An agent may use /commands, /metrics-samples, /stream and /operations, and create its own node; this is ${path}.`,
    );
  }
  return caller;
}

/** A bootstrap token is copied around: it opens no more than its agent needs to join. */
function checkBootstrap({ pool }: Joins, request: FastifyRequest, path: string): void {
  if (path === CERTIFICATES_PATH || path === "/whoami") return;
  if (pool === undefined && isJoining(request, path)) return;
  throw new ApiError(
    "not-allowed",
    `A bootstrap token registers its node and buys its certificate at ${CERTIFICATES_PATH}; this is ${path}.`,
  );
}

/** Of a certificate that was shown to a plane that follows (CC5). */
function createFindVouched(auth: GivenAuth, { isNode, voucher }: KnownByPlane) {
  const { certificates } = planeAuthOf(auth);
  return (request: FastifyRequest) => {
    const { headers, method, url } = request;
    const header = headers[VOUCHED];
    if (header === undefined || headers.authorization !== undefined) return undefined;
    const vouched = voucher?.open(header, { method, url }, Date.now());
    // The planes have different signers: the client asks the leader itself.
    if (certificates === undefined || vouched === undefined) throw notLeading();
    const { certificate, address } = vouched;
    return { credential: certificates.vouched(certificate, isNode), address };
  };
}

function createFind(
  auth: GivenAuth,
  { isNode, own }: KnownByPlane,
): (request: FastifyRequest) => Promise<Found> | Found {
  const { registry, certificates, ...of } = planeAuthOf(auth);
  const bearers = [...own, ...of.bearers];
  return (request) => {
    // A token says more of the request than a certificate does, which belongs to the connection.
    const isBare = request.headers.authorization === undefined;
    const shown = isBare ? certificates?.find(request.raw.socket, isNode) : undefined;
    if (shown !== undefined) return shown;
    const token = bearerOf(request);
    const known = registry.find(token);
    return known === undefined && bearers.length > 0 ? findAmong(bearers, token) : known;
  };
}

function planeAuthOf(auth: GivenAuth): PlaneAuth {
  if (auth instanceof TokenRegistry) return { registry: auth, bearers: [] };
  return "registry" in auth ? auth : { registry: new TokenRegistry(auth.tokens), bearers: [] };
}

type Found = Credential | undefined;

async function findAmong(bearers: readonly BearerProof[], token: string): Promise<Found> {
  for (const bearer of bearers) {
    const found = await bearer.find(token);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** To read: a body that a stranger announces would take a place among those of users. */
const isOpen = ({ method }: FastifyRequest, path: string): boolean =>
  OPEN_PATHS.has(path) && (method === "GET" || method === "HEAD");

/** Where the request came from, if that says more than that it came from this machine. */
function addressOf({ ip }: FastifyRequest): Pick<Caller, "address"> {
  return LOOPBACK.test(ip) ? {} : { address: ip };
}

const revoked = (): ApiError =>
  new ApiError("not-authenticated", "The token has expired or was revoked.");

/** An agent introduces its node by itself; whose node it is, `create` looks at. */
const isJoining = ({ method }: FastifyRequest, path: string): boolean =>
  method === "POST" && path === `/apis/${GROUP}/${VERSION}/nodes`;

/**
 * The name that `berth --as` sends: whose name is to stand in the log. An administrator may act
 * under any name and keeps its own rights; a token has a name already. `kubectl --as` is another
 * matter: the caller gets the other's rights (`impersonate.ts`).
 */
function spokenFor({ headers }: FastifyRequest): string | undefined {
  const given = headers["berth-as"];
  const name = Array.isArray(given) ? given[0] : given;
  if (name === undefined || name === "") return undefined;
  if (name.length <= NAME_MAX && !/[^\x20-\x7E]/.test(name)) return name;
  throw new ApiError("bad-request", `Berth-As is at most ${NAME_MAX} printable characters long.`);
}

function bearerOf(request: FastifyRequest): string {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() === "bearer" && token !== undefined && token !== "") return token;
  throw new ApiError("not-authenticated", "Send a token: Authorization: Bearer TOKEN.");
}

/**
 * A page in a local browser can reach this machine's ports under a name of its own choosing. Such a
 * request names that host, so only the loopback's own names are let in.
 */
function localCaller(request: FastifyRequest): Caller {
  const { host = "" } = request.headers;
  if (!LOOPBACK.test(request.ip)) {
    throw new ApiError(
      "not-authenticated",
      "Without tokens the server accepts local requests only: configure tokens.",
    );
  }
  if (!LOOPBACK_HOST.test(host)) {
    throw new ApiError(
      "not-authenticated",
      `Without tokens the server accepts only localhost and loopback addresses as host; found "${host.slice(0, 100)}": use localhost or 127.0.0.1 in the address, or configure tokens.`,
    );
  }
  return { kind: "local", name: spokenFor(request) ?? loginName(), groups: [] };
}
