/** What a request asks of the server: its level, its payer, and how many seats. */
import type { FastifyRequest } from "fastify";
import { callerKey, isAgentsWay } from "../bounds/caller-key.ts";
import { isLongRead } from "../bounds/is-long-read.ts";
import type { ApiContext } from "../http/api-context.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import type { NamespacedObjects } from "../list/namespaced-objects.ts";
import { basePath, type ServedKind } from "../list/served-kind.ts";
import { OBJECT_KINDS } from "../list/served-kinds.ts";
import { isTrue } from "../request/is-true.ts";
import { BACKUP_PATH } from "../routes/routes-backup.ts";
import { LOG_PATHS } from "../routes/routes-logs.ts";
import { VERIFY_PATH } from "../routes/routes-audit-chain.ts";
import { WEB_ROUTES } from "../routes/routes-web.ts";
import { upgradeOf } from "../sessions/accept-upgrades.ts";
import type { WatchQuery } from "../watch/watch.ts";
import type { Ticket } from "../../core/admission/fair-seats.ts";
import type { ShareLevel } from "../../core/admission/share-level.ts";
import type { ShareLimits } from "./share-limits.ts";

export interface SeatAsk extends Ticket {
  /** The tenant that it is about; empty: none. */
  readonly tenant: string;
}

/** Answered from what is at hand, and asked for when the server is slow. */
const AT_HAND = /^\/(?:healthz|livez|readyz|version|whoami|metrics|shares)(?:\/|$)/;
/** They last as long as their reader likes, and have bounds of their own. */
const LONG_RUNNING = /^\/stream\/(?:watch|logs|sessions)(?:\/|$)/;
const LAST_LONG: ReadonlySet<string> = new Set([BACKUP_PATH, VERIFY_PATH, ...LOG_PATHS]);
/** Read by programs that keep what they read, and long. */
const EXPORTS = /^\/(?:audit|recordings|incidents|diff|fleet)(?:\/|$)/;
const WORKLOAD_USER = /^system:serviceaccount:([^:]+):/;

/** The lists of objects, by their route. */
const LISTS: ReadonlyMap<string, ServedKind> = new Map(
  OBJECT_KINDS.flatMap((kind) => {
    const { plural } = kind.api;
    const base = basePath(kind);
    return [`${base}/${plural}`, `${base}/namespaces/:namespace/${plural}`].map(
      (url) => [url, kind] as const,
    );
  }),
);

export type AskSources = Pick<ApiContext, "plane"> & {
  readonly present: NamespacedObjects;
  readonly limits: ShareLimits;
};

/** Undefined: the request needs no seat. */
export function seatAskOf(sources: AskSources, request: FastifyRequest): SeatAsk | undefined {
  const { url } = request.routeOptions;
  if (url === undefined || AT_HAND.test(url) || WEB_ROUTES.has(url)) return undefined;
  if (LONG_RUNNING.test(url) || LAST_LONG.has(url) || upgradeOf(request) !== undefined) {
    return undefined;
  }
  const caller = callerOf(request);
  const tenant = tenantOf(request, caller);
  const key = callerKey(request);
  const objects = objectsIn(sources, request);
  const { seatListObjects, seatsPerRequest, shortListObjects } = sources.limits;
  const isBulk = objects > shortListObjects || isBulkRequest(request);
  return {
    level: levelOf(request, caller, isBulk),
    payer: tenant === "" ? key : `tenant ${tenant}`,
    caller: key,
    tenant,
    seats: Math.min(1 + Math.floor(objects / seatListObjects), seatsPerRequest),
  };
}

function levelOf(request: FastifyRequest, caller: Caller, isBulk: boolean): ShareLevel {
  const { kind, how, credential } = caller;
  if (kind === "agent") return "leases";
  if (kind === "local" && isAgentsWay(request)) return "leases";
  if (kind === "controller") return "controllers";
  if (isBulk || how === "workload") return "bulk";
  // Without tokens every user of the machine is an administrator.
  return kind === "local" && credential !== undefined ? "system" : "people";
}

/**
 * The tenant of the path: roles have allowed the request by now, so no caller spends the share of a
 * tenant without a right in it. Replicas spend that of their own tenant, wherever they ask.
 */
function tenantOf({ params }: FastifyRequest, { kind, how, name }: Caller): string {
  if (kind === "agent") return "";
  const [, home] = (how === "workload" ? WORKLOAD_USER.exec(name) : null) ?? [];
  return home ?? (params as { readonly namespace?: string } | undefined)?.namespace ?? "";
}

/** Whether the request is long by its kind, however few objects there are. */
function isBulkRequest(request: FastifyRequest): boolean {
  const { url = "" } = request.routeOptions;
  if (request.method === "DELETE") return LISTS.has(url);
  return isLongRead(request) && EXPORTS.test(url);
}

/** How many objects the request makes the server render, or look at; 0 for what is no list. */
function objectsIn({ plane, present }: AskSources, request: FastifyRequest): number {
  const { method, routeOptions, params } = request;
  const kind = LISTS.get(routeOptions.url ?? "");
  if (kind === undefined || (method !== "GET" && method !== "DELETE")) return 0;
  const query = request.query as WatchQuery & { readonly limit?: string };
  if (method === "GET" && isTrue(query.watch) && !isWithObjects(query)) return 0;
  const { namespace } = params as { readonly namespace?: string };
  const all =
    namespace === undefined
      ? plane.objects.all(kind.api.kind).size
      : present.of({ kind, namespace }).size;
  const hasSelectors = [query.labelSelector, query.fieldSelector].some((text) => text);
  // To look at an object costs a tenth of rendering it.
  const looked = hasSelectors ? Math.ceil(all / 10) : 0;
  const limit = Number(query.limit ?? 0);
  return Math.max(looked, limit > 0 ? Math.min(limit, all) : all);
}

/** A watch that begins where a list ended has no objects to begin with. */
const isWithObjects = ({ resourceVersion, sendInitialEvents }: WatchQuery): boolean =>
  isTrue(sendInitialEvents) || (resourceVersion ?? "0") === "0" || resourceVersion === "";
