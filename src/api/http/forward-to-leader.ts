/**
 * What only the plane that leads can do, done there for clients of another plane. Reads of objects
 * and watches are answered by any plane; everything else is sent on once, as it came, and the
 * answer handed back as it comes. A request that meets a change of leadership waits for the next
 * leader, for a bounded time.
 */
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { rootCertificates } from "node:tls";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PlanePort } from "../../host/plane-port.ts";
import type { PlaneAddress } from "../../host/store/shared-log.ts";
import { cutOffWhenSlow } from "../bounds/cut-off-when-slow.ts";
import { ApiError } from "../errors.ts";
import type { ApiContext } from "./api-context.ts";
import { callerOf } from "./caller.ts";
import type { ApiLimits } from "./limits.ts";
import { LOG_PATHS } from "../routes/routes-logs.ts";
import { upgradeOf } from "../sessions/accept-upgrades.ts";
import { WEB_ROUTES } from "../routes/routes-web.ts";
import { VOUCHED } from "../identity/voucher.ts";
import { notLeading } from "./status-error.ts";
import type { Vouch } from "./vouch-for.ts";

/**
 * Planes trust each other's certificates by this, besides what the machine trusts. May change while
 * it is used.
 */
export interface PeerTrust {
  readonly ca?: string | undefined;
}

/**
 * Says that a request was sent on: who gets it and does not lead either says so, and sends it
 * nowhere.
 */
const FORWARDED = "berth-forwarded-by";
/**
 * Says that a request which was sent on was not looked at, so that it can be sent to somebody else.
 */
const NOT_TAKEN = "berth-not-taken";
/**
 * How often a request that waits looks whether somebody leads: short beside the time a take-over
 * needs.
 */
const LOOK_MS = 25;
/**
 * How often an answer that is handed back looks so: there may be as many as there are agents, and
 * they last for hours.
 */
const STREAM_LOOK_MS = 1_000;
/**
 * Below what a server keeps an idle connection open for, so that none is taken that is about to be
 * closed.
 */
const IDLE_MS = 30_000;
const FOR_AGENTS = /^\/(?:commands|stream)(?:\/|$)/;
/**
 * Longer than a plane that is told to stop takes to hand over, and shorter than an agent's
 * patience.
 */
const AGENT_WAIT_MS = 500;
/** It was there and is gone, in the middle: the next leader may be asked. */
const BROKEN: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);
/** Of one connection only, and what is worked out anew for the next. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "host",
  "content-length",
  "expect",
  VOUCHED,
  // This plane has looked where a page's request comes from; the leader has another name and would
  // refuse it.
  "origin",
  "sec-fetch-site",
]);

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Reads that any plane answers, from what it has followed or from nothing at all. */
const ANYWHERE =
  /^\/(?:version|healthz|livez|readyz|metrics|shares|openapi|whoami|heartbeats|incidents|series|recordings|audit\/refusals|access\/uses|views\/(?:fleet|quota|:view)$|apis?(?:\/|$))/;
/**
 * Among them, what a leader knows better: its own decisions are told as events, and agents bring it
 * their logs.
 */
const EVENTS = /\/events(?:\/|$)/;

export function addForwarding(
  app: FastifyInstance,
  context: ApiContext,
  { trust = {}, vouch }: { readonly trust?: PeerTrust | undefined; readonly vouch: Vouch },
): void {
  const { plane } = context;
  if (!plane.isShared) return;
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const http = new HttpAgent(kept);
  const https = new HttpsAgent(kept);
  let trusted: string | undefined;
  // New connections are made on what is trusted now; those that are open were made on what was
  // trusted then.
  const trustNow = (): void => {
    if (trusted === trust.ca) return;
    trusted = trust.ca;
    https.options.ca = trusted === undefined ? undefined : [...rootCertificates, trusted];
  };
  trustNow();
  app.addHook("preHandler", (request, reply, done) => {
    if (!plane.isLeading && isForLeader(request)) return sendOn(request, reply);
    done();
    return undefined;
  });
  const sendOn = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A connection cannot be sent on: its client tries the planes in turn.
    if (upgradeOf(request) !== undefined) throw notLeading();
    if (request.headers[FORWARDED] !== undefined) {
      void reply.header(NOT_TAKEN, "true");
      throw notLeading();
    }
    // Nor can the certificate of one: this plane says whom it has shown.
    const isByCertificate = callerOf(request).how === "certificate";
    if (isByCertificate && vouch(request) === undefined) throw notLeading();
    trustNow();
    const vouched = isByCertificate ? vouch : undefined;
    await forward(context, { request, reply, vouched, agents: { http, https } });
  };
  app.addHook("onClose", async () => {
    http.destroy();
    https.destroy();
  });
}

function isForLeader({ method, routeOptions: { url } }: FastifyRequest): boolean {
  if (url === undefined || WEB_ROUTES.has(url)) return false;
  return !READS.has(method) || !ANYWHERE.test(url) || EVENTS.test(url) || LOG_PATHS.has(url);
}

interface Forwarding {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Left out: the request itself says who asks. */
  readonly vouched: Vouch | undefined;
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };
}

/**
 * Agents come again by themselves every second; what they said before is old by the time somebody
 * leads.
 */
const waitMs = (
  { leaderWaitMs }: ApiLimits,
  { routeOptions: { url = "" } }: FastifyRequest,
): number => (FOR_AGENTS.test(url) ? Math.min(leaderWaitMs, AGENT_WAIT_MS) : leaderWaitMs);

/** Returns without an answer when this plane has come to lead meanwhile: it answers itself then. */
async function forward({ plane, limits, bounds }: ApiContext, of: Forwarding): Promise<void> {
  const endMs = performance.now() + waitMs(limits, of.request);
  for (;;) {
    const { leader } = plane;
    // Its sender has left, or its token was revoked: nothing of it may happen any more.
    if (of.reply.raw.destroyed) throw notLeading();
    if (plane.isLeading) return;
    const answer = leader && (await sendTo(leader, plane, of));
    if (leader !== undefined && answer !== undefined) {
      // A plane that hangs ends nothing: who listens to it through us is told by its end that
      // another leads.
      const stop = onceDeposed(plane, leader, { everyMs: STREAM_LOOK_MS }, () => answer.destroy());
      answer.once("close", stop);
      bounds.seats.answered(of.reply.raw);
      return handBack(answer, of, limits.answerSlowMs);
    }
    if (performance.now() > endMs) throw notLeading();
    await sleep(LOOK_MS);
  }
}

/** Undefined when no plane took it, or when it does no harm to send it again. */
function sendTo(
  leader: PlaneAddress,
  plane: PlanePort,
  of: Forwarding,
): Promise<IncomingMessage | undefined> {
  const { request, reply } = of;
  const isRepeatable = canRepeat(request);
  const lost = (why: string): ApiError => new ApiError("leader-lost", `${leader.url}: ${why}.`);
  return new Promise((resolve, reject) => {
    const sent = open(new URL(leader.url), of);
    const giveUp = (why: string): void => (isRepeatable ? resolve(undefined) : reject(lost(why)));
    // Its answer may never come: it may hang, or be cut off from us while another took over.
    const stop = onceDeposed(plane, leader, { everyMs: LOOK_MS }, () => {
      giveUp("the leader has changed");
      sent.destroy();
    });
    sent.once("response", (answer) => {
      stop();
      if (answer.headers[NOT_TAKEN] === undefined) resolve(answer);
      else {
        answer.resume();
        resolve(undefined);
      }
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      const { code = "", message } = error;
      if (code === "ECONNREFUSED") resolve(undefined);
      else if (BROKEN.has(code)) giveUp(message);
      else reject(lost(message));
    });
    // The client has left: its open requests are dropped.
    const leave = (): void => void sent.destroy();
    reply.raw.once("close", leave);
    sent.once("close", () => {
      stop();
      reply.raw.off("close", leave);
    });
    sent.end(request.body as string | Buffer | undefined);
  });
}

/**
 * Reads, commands that carry their operation, and writes with a key have one effect however often
 * they are sent.
 */
const canRepeat = ({ method, headers, routeOptions: { url } }: FastifyRequest): boolean =>
  READS.has(method) || url === "/commands" || headers["idempotency-key"] !== undefined;

/** Calls once when the lead is another's, or ours; returns how to stop looking. */
function onceDeposed(
  plane: PlanePort,
  leader: PlaneAddress,
  { everyMs }: { readonly everyMs: number },
  tell: () => void,
): () => void {
  const timer = setInterval(() => {
    const { leader: now } = plane;
    if (!plane.isLeading && (now === undefined || now.url === leader.url)) return;
    clearInterval(timer);
    tell();
  }, everyMs);
  return () => clearInterval(timer);
}

function open(server: URL, { request, vouched, agents }: Forwarding): ClientRequest {
  const isSecure = server.protocol === "https:";
  const says = vouched?.(request);
  const options = {
    method: request.method,
    path: `${server.pathname.replace(/\/$/, "")}${request.url}`,
    headers: {
      ...passedOn(request.headers),
      ...(says === undefined ? {} : { [VOUCHED]: says }),
      [FORWARDED]: "berth",
    },
  };
  return isSecure
    ? httpsRequest(server, { ...options, agent: agents.https })
    : httpRequest(server, { ...options, agent: agents.http });
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}

/** As it comes: the answer may be a stream that lasts for hours. */
async function handBack(
  answer: IncomingMessage,
  { reply }: Forwarding,
  slowMs: number,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  cutOffWhenSlow(raw, slowMs);
  const { "content-length": length } = answer.headers;
  raw.writeHead(answer.statusCode ?? 502, {
    ...passedOn(answer.headers),
    // Nothing is added or left out, so its length may be computed beforehand.
    ...(length === undefined ? {} : { "content-length": length }),
  });
  raw.flushHeaders();
  // Whichever side ends, or breaks, ends the other.
  raw.once("close", () => answer.destroy());
  answer.once("error", () => raw.destroy());
  answer.once("aborted", () => raw.destroy());
  answer.pipe(raw);
}
