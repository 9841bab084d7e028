/** Reads of every path with every parameter: selectors, pages, moments, and names of other tenants' objects. */
import type { Draw } from "./draw.ts";
import { collectionPath, type PublishedKinds } from "./generate-manifest.ts";
import type { CallerName, HostileRequest } from "./hostile-case.ts";
import {
  encodedWord,
  HONEST,
  nastyKey,
  nastyName,
  nastyNumber,
  nastyText,
  OWN_TENANTS,
} from "./nasty-values.ts";

const PATHS = [
  "/version",
  "/api",
  "/apis",
  "/api/v1",
  "/apis/berth.dev/v1",
  "/openapi/v3",
  "/openapi/v3/apis/berth.dev/v1",
  "/metrics",
  "/whoami",
  "/capacity",
  "/recovery-reserve",
  "/decisions",
  "/explain",
  "/diff",
  "/revisions",
  "/drain-plan",
  "/audit",
  "/audit/head",
  "/audit/verify",
  "/recordings",
  "/recordings/1/incident",
  "/backup",
  "/views/nodes",
  "/views/queue",
  "/views/replicas",
  "/stream/list",
  "/stream/state",
  "/operations/u1",
  "/api/v1/namespaces",
  "/api/v1/events",
  "/apis/berth.dev/v1/nodes",
] as const;

const PARAMETERS = [
  "labelSelector",
  "fieldSelector",
  "limit",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "timeoutSeconds",
  "allowWatchBookmarks",
  "sendInitialEvents",
  "node",
  "from",
  "to",
  "at",
  "since",
  "until",
  "of",
  "kind",
  "name",
  "namespace",
  "tenant",
  "replica",
  "workload",
  "revision",
  "follow",
  "tailLines",
  "sinceSeconds",
  "dryRun",
  "fieldManager",
  "pretty",
] as const;

const ACCEPTS = [
  "application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/vnd.kubernetes.protobuf",
  "text/html",
  `${"application/json;q=0.1,".repeat(500)}*/*`,
] as const;

export function generateQuery(
  draw: Draw,
  published: PublishedKinds,
  caller: CallerName,
): HostileRequest {
  const of = draw.pick(published.kinds);
  const namespace = draw.pick([...OWN_TENANTS, HONEST.tenant, "", nastyName(draw)]);
  const collection = collectionPath({ of, namespace });
  const path = draw.pick([
    () => draw.pick(PATHS),
    () => collection,
    () =>
      `${collection}/${encodedWord(nastyName(draw))}${draw.pick(["", "/status", "/scale", "/x"])}`,
    () => `/${encodedWord(nastyText(draw)).slice(0, 4_000)}`,
    () => `/api/v1/namespaces/mal/pods/x1.1.0/log`,
  ])();
  const parameters = Array.from({ length: draw.size(6) }, () => parameter(draw));
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return {
    caller,
    method: draw.chance(85) ? "GET" : draw.pick(["HEAD", "OPTIONS", "POST", "TRACE", "PROPFIND"]),
    path: `${path}${query}`,
    headers: { accept: draw.pick(ACCEPTS) },
    ...(draw.chance(5) ? { how: "unread" } : {}),
  };
}

function parameter(draw: Draw): string {
  const name = draw.chance(95) ? draw.pick(PARAMETERS) : nastyKey(draw);
  return `${encodedWord(name)}=${encodedWord(parameterValue(draw, name))}`;
}

function parameterValue(draw: Draw, name: string): string {
  if (name === "labelSelector" && draw.chance(85)) return labelSelector(draw);
  if (name === "fieldSelector" && draw.chance(85)) return fieldSelector(draw);
  return draw.pick([
    () => nastyText(draw),
    () => nastyName(draw),
    () => String(nastyNumber(draw)),
    () => String(draw.below(300)),
    () => draw.pick(["true", "1", "All", "NotOlderThan", "Exact", "2026-11-16T09:00:00Z", "5m"]),
    () =>
      Buffer.from(JSON.stringify({ v: 1, rv: draw.below(300), start: nastyName(draw) })).toString(
        "base64url",
      ),
  ])();
}

function labelSelector(draw: Draw): string {
  const key = (): string => (draw.chance(70) ? draw.pick(["app", "a.b/c", "x"]) : nastyKey(draw));
  const term = (): string =>
    draw.pick([
      () => `${key()}=${nastyName(draw)}`,
      () => `${key()}!=x`,
      () => `!${key()}`,
      () => key(),
      () =>
        `${key()} in (${Array.from({ length: draw.size(3_000) }, (_, at) => `v${at}`).join(",")})`,
      () => `${key()} notin (a,b`,
      () => `${key()}==${"=".repeat(draw.size(3_000))}`,
      () => "(".repeat(draw.size(3_000)),
      () => `${" ".repeat(draw.size(5_000))}x`,
    ])();
  return Array.from({ length: draw.size(400) }, term)
    .join(",")
    .slice(0, 12_000);
}

function fieldSelector(draw: Draw): string {
  const path = (): string =>
    draw.pick([
      "metadata.name",
      "metadata.namespace",
      "status.node",
      "spec.a.b",
      "__proto__.x",
      "",
    ]);
  const term = (): string => `${path()}${draw.pick(["=", "==", "!=", "~", ""])}${nastyName(draw)}`;
  return Array.from({ length: draw.size(500) }, term)
    .join(",")
    .slice(0, 12_000);
}
