/**
 * The HTTP face of a plane: parses, asks the plane, replies. No rule lives here; what may happen is
 * decided by the authority, and only durable state is shown.
 */
import { join } from "node:path";
import type { IncomingMessage } from "node:http";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { unveiled } from "../access/env-values.ts";
import { createAccessDecider } from "../access/access-decider.ts";
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { HeldSecretKeys } from "../../host/seal/secret-keys.ts";
import { Gauge } from "../../host/scale/gauge.ts";
import { SampleWindow } from "../../host/scale/sample-window.ts";
import { PlaneTelemetry } from "../../host/telemetry/plane-telemetry.ts";
import { addAuthorization } from "../access/add-authorization.ts";
import { Authorizer } from "../access/authorizer.ts";
import { Refusals } from "../access/refusals.ts";
import { Uses } from "../access/uses.ts";
import { OpenReads } from "../access/open-reads.ts";
import { addGzipAnswers } from "../answer/gzip-answers.ts";
import { addYamlAnswers } from "../answer/yaml-answers.ts";
import { BodyIntake } from "../bounds/body-intake.ts";
import { boundConnections } from "../bounds/bound-connections.ts";
import { ByteBudget } from "../bounds/byte-budget.ts";
import { type HttpBounds, keepBounds } from "../bounds/http-bounds.ts";
import { addSafeHeaders, answerUnreadable } from "../bounds/safe-headers.ts";
import { WatchBounds } from "../bounds/watch-bounds.ts";
import { seatAskOf } from "../shares/seat-ask.ts";
import { SeatGate } from "../shares/seat-gate.ts";
import { DecisionHistory } from "../explain/decision-history.ts";
import { readSlosWith } from "../kinds/status/slo-status.ts";
import { AgentStreams } from "../routes/agent-streams.ts";
import { addRoutes } from "./add-routes.ts";
import { answerErrors } from "../answer/answer-errors.ts";
import type { ApiContext, ApiLog } from "./api-context.ts";
import { addAuthentication, type GivenAuth } from "./authenticate.ts";
import { knownBy } from "../identity/known-by-plane.ts";
import type { WorkloadIdentities } from "../identity/workload-identities.ts";
import { addForwarding, type PeerTrust } from "./forward-to-leader.ts";
import { vouchFor } from "./vouch-for.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "./limits.ts";
import { LogRelay } from "../routes/log-relay.ts";
import { type ApiMetrics, createMetrics } from "./metrics.ts";
import type { ReloadCounts } from "./reload-counts.ts";
import { NamespacedObjects } from "../list/namespaced-objects.ts";
import { PROTOBUF } from "../protobuf/read-protobuf.ts";
import { type KeptAudit, keepAudit } from "../audit/keep-audit.ts";
import { RefusalArchive } from "../audit/refusal-archive.ts";
import { VERIFY_PATH } from "../routes/routes-audit-chain.ts";
import { BACKUP_PATH } from "../routes/routes-backup.ts";
import type { NodeSigner } from "../identity/node-signer.ts";
import { Voucher } from "../identity/voucher.ts";
import { LOG_PATHS } from "../routes/routes-logs.ts";
import { acceptUpgrades, upgradeOf } from "../sessions/accept-upgrades.ts";
import { AgentLines } from "../sessions/agent-lines.ts";
import { SessionRelay } from "../sessions/session-relay.ts";
import { PromiseWatch } from "../../promises/promise-watch.ts";
import { readPromisesWith } from "../kinds/status/commitment-status.ts";
import { ShownRevisions } from "../list/shown-revisions.ts";
import { ShownTexts } from "../list/shown-texts.ts";
import { SortedLists } from "../list/sorted-lists.ts";
import { isTrue } from "../request/is-true.ts";
import { plainUrl } from "../request/plain-url.ts";
import type { WatchQuery } from "../watch/watch.ts";
import { WatchHub } from "../watch/watch-hub.ts";

export interface ApiServerOptions {
  readonly plane: PlanePort;
  readonly clock: HostClock;
  readonly log: ApiLog;
  /** Left out: the server serves its own machine only. */
  readonly auth?: GivenAuth;
  /** Signs certificates of agents; left out: agents have tokens. */
  readonly signer?: NodeSigner;
  /** Signs tokens of replicas; left out: they get none. */
  readonly identities?: WorkloadIdentities;
  /** How often tokens and certificates were read again, for the metrics. */
  readonly reloads?: ReloadCounts;
  /** PEM texts. Left out: plain HTTP. */
  readonly tls?: TlsFiles;
  /** What secrets are sealed with. Left out: the plane keeps none. */
  readonly secretKeys?: HeldSecretKeys;
  readonly limits?: Partial<ApiLimits>;
  /** How the other planes that share the log are known to be what they say. */
  readonly peers?: PeerTrust;
  /** The folder of this plane's recording; left out: it does not record. */
  readonly recordings?: string;
  /** Of a built dashboard. Left out: the one that was built with this plane. */
  readonly webFolder?: string;
  /** Where the audit trail is kept beyond the log; left out: it ends where the log ends. */
  readonly auditFolder?: string;
  /** How often samples are committed. Left out: as often as is worth it. */
  readonly observeMs?: number;
  /** How long the fleet is quiet before promises are checked again. Left out: as its limit says. */
  readonly promisesQuietMs?: number;
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** Authorities whose certificates callers may show; left out: none is asked for. */
  readonly clientCas?: readonly string[];
}

export function createApiServer(options: ApiServerOptions): FastifyInstance {
  const { plane, clock, log } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const shown = new ShownRevisions(plane);
  const present = new NamespacedObjects(plane);
  const telemetry = new PlaneTelemetry(plane, clock);
  readSlosWith(plane.objects, ({ key }) => telemetry.slos.read(key, clock.nowMs()));
  const promises = watchPromises(options);
  const hub = new WatchHub({
    plane,
    onCommits: (commits) => {
      shown.note(commits);
      present.note(commits);
    },
    onFailure: (error) => log.error({ err: error }, "Ended watches: failed to render an event."),
    onTold: (lagMs) => telemetry.watchersTold(lagMs),
  });
  const lists = new SortedLists(plane, present, limits.listsKept);
  const lines = new AgentLines();
  const logs = new LogRelay(limits, lines);
  const sessions = new SessionRelay(limits, lines, () => plane.isLeading);
  const texts = new ShownTexts({ plane, shown, veil: unveiled }, limits.textsKeptBytes);
  const streams = new AgentStreams();
  const openReads = new OpenReads();
  const context: ApiContext = {
    plane,
    access: createAccessDecider(plane, clock),
    clock,
    log,
    limits,
    bounds: createBounds(limits),
    shown,
    hub,
    lists,
    texts,
    logs,
    streams,
    lines,
    sessions,
    secretKeys: options.secretKeys ?? { current: undefined },
    openReads,
    veil: unveiled,
    ...createAuthorizer(options),
  };
  const window = new SampleWindow();
  const gauge = createGauge(options, window);
  const history = new DecisionHistory();
  const stopHistory = history.listen(plane);
  const app = createApp(limits, options.tls);
  addAnswerForms(app);
  acceptUpgrades(app);
  const connections = boundConnections(app, limits);
  addBodies(app);
  answerErrors(app, log, context.refusals);
  const voucher = options.signer && new Voucher(options.signer.authority.key);
  addAuthentication(app, options.auth, knownBy(plane, options.identities, voucher));
  addAuthorization(app, context);
  addForwarding(app, context, { trust: options.peers, vouch: vouchFor(options.auth, voucher) });
  const askOf = (request: FastifyRequest) => seatAskOf({ plane, present, limits }, request);
  keepBounds(app, context.bounds, { limits, askOf });
  const metrics = createMetrics(context, { ...options, connections, telemetry, promises });
  measureRequests(app, metrics);
  const all = [hub, telemetry, gauge, promises, { close: stopHistory }, logs, sessions, openReads];
  app.addHook("preClose", async () => {
    for (const each of all) each.close();
  });
  const audit = archiveOf(options);
  addRoutes(app, context, { options, audit, metrics, history, window, telemetry, promises });
  return app;
}

/** What answers of every route get on their way out. */
function addAnswerForms(app: FastifyInstance): void {
  addSafeHeaders(app);
  addYamlAnswers(app);
  addGzipAnswers(app);
}

function createAuthorizer(options: ApiServerOptions) {
  const { plane, clock, log } = options;
  const nowMs = (): number => clock.nowMs();
  const refusals = new Refusals({ nowMs, log, archive: refusalArchiveOf(options) });
  const uses = usesOf(options);
  const rules = () => plane.objects.access;
  const authorizer = new Authorizer({
    rules,
    nowMs,
    onRefused: (caller, request) => refusals.note(caller, request),
    onAllowed: (caller, request) => uses.note(caller, request),
  });
  return { authorizer, refusals, uses };
}

function createGauge({ plane, clock, observeMs }: ApiServerOptions, window: SampleWindow): Gauge {
  return new Gauge({
    plane,
    clock,
    window,
    ...(observeMs === undefined ? {} : { everyMs: observeMs }),
  });
}

function watchPromises({ plane, clock, log, promisesQuietMs: quietMs }: ApiServerOptions) {
  const promises = new PromiseWatch({
    plane,
    clock,
    onTrouble: (err) => log.error({ err }, "The check of promises ended; it begins again."),
    ...(quietMs === undefined ? {} : { quietMs }),
  });
  readPromisesWith(plane.objects, (commitment) => promises.standingOf(commitment));
  return promises;
}

function measureRequests(app: FastifyInstance, metrics: ApiMetrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    metrics.observe({
      method: request.method,
      route: request.routeOptions.url ?? "(none)",
      status: reply.statusCode,
      // A stream lasts as long as its reader likes, which says nothing about the server.
      seconds: isStream(request) ? undefined : reply.elapsedTime / 1_000,
    });
    done();
  });
}

const createBounds = (limits: ApiLimits): HttpBounds => ({
  answers: new ByteBudget({ total: limits.answerBytes, perCaller: limits.answerBytesPerCaller }),
  bodies: new BodyIntake(limits),
  seats: new SeatGate(limits),
  watches: new WatchBounds(limits),
});

function createApp(limits: ApiLimits, tls: TlsFiles | undefined): FastifyInstance {
  const common = {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: "idle",
    // A HEAD of a watch would open a stream without a reader.
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = "/" }: IncomingMessage) => plainUrl(url),
    // The last of several values counts, and every value is text.
    routerOptions: {
      querystringParser: (text: string) => Object.fromEntries(new URLSearchParams(text)),
      maxParamLength: 1_024,
    },
  } as const;
  const http = {
    headersTimeout: limits.headersTimeoutMs,
    // Said here, too: node holds the two against each other before fastify has its say.
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.connectionCheckMs,
  };
  if (tls === undefined) return fastify({ ...common, http });
  // A connection that never shakes hands has not begun to send headers: only this limit ends it.
  const https = { ...http, ...tlsOptions(tls), handshakeTimeout: limits.headersTimeoutMs };
  // The same routes on another kind of server; nothing here looks at what is different about it.
  return fastify({ ...common, https });
}

/** A caller without a certificate has a token, so the handshake refuses none. */
export const tlsOptions = ({ cert, key, clientCas }: TlsFiles) => ({
  cert,
  key,
  ...(clientCas === undefined
    ? {}
    : { ca: [...clientCas], requestCert: true, rejectUnauthorized: false }),
});

const isStream = (request: FastifyRequest): boolean =>
  upgradeOf(request) !== undefined || isLong(request);

const isLong = ({ url, query, routeOptions }: FastifyRequest): boolean =>
  url.startsWith("/stream/watch") ||
  LOG_PATHS.has(routeOptions.url ?? "") ||
  routeOptions.url === BACKUP_PATH ||
  routeOptions.url === VERIFY_PATH ||
  isTrue((query as WatchQuery).watch);

/**
 * Bodies come as text, or as bytes where they are no text: each route knows what it can read and
 * says so itself.
 */
function addBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body));
  app.addContentTypeParser(PROTOBUF, { parseAs: "buffer" }, (_, body, done) => done(null, body));
}

function usesOf({ clock, log, auditFolder }: ApiServerOptions): Uses {
  const onTrouble = (error: unknown): void =>
    log.error({ err: error }, "Cannot keep which rights are used.");
  const folder = auditFolder === undefined ? undefined : join(auditFolder, "used");
  return new Uses({ folder, nowMs: () => clock.nowMs(), onTrouble });
}

function refusalArchiveOf({ clock, log, auditFolder }: ApiServerOptions) {
  if (auditFolder === undefined) return undefined;
  const onTrouble = (error: unknown): void =>
    log.error({ err: error }, "Cannot keep refused requests.");
  const folder = join(auditFolder, "refused");
  return new RefusalArchive({ folder, nowMs: clock.nowMs(), onTrouble });
}

function archiveOf({ plane, clock, log, auditFolder }: ApiServerOptions): KeptAudit | undefined {
  if (auditFolder === undefined) return undefined;
  const onTrouble = (error: unknown): void =>
    log.error({ err: error }, "Cannot archive the audit trail.");
  return keepAudit(plane, { folder: auditFolder, nowMs: clock.nowMs(), onTrouble });
}
