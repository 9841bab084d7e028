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

export const PATHS = [
  "/",
  "/ui",
  "/apis/berth.dev",
  "/assets/index.js",
  "/stream/watch",
  "/version",
  "/api",
  "/apis",
  "/api/v1",
  "/apis/berth.dev/v1",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/apis/berth.dev/v1",
  "/healthz",
  "/livez",
  "/readyz",
  "/metrics",
  "/whoami",
  "/who-can",
  "/shares",
  "/capacity",
  "/regions",
  "/access/uses",
  "/recovery-reserve",
  "/problems",
  "/promises",
  "/fleet",
  "/search",
  "/incidents",
  "/series",
  "/heartbeats",
  "/decisions",
  "/explain",
  "/diff",
  "/revisions",
  "/drain-plan",
  "/audit",
  "/audit/head",
  "/audit/refusals",
  "/audit/refusals/verify",
  "/audit/verify",
  "/recordings",
  "/recordings/1/incident",
  "/recordings/1/turns",
  "/backup",
  "/views/fleet",
  "/views/workloads",
  "/views/queue",
  "/views/quota",
  "/stream/list",
  "/stream/state",
  "/stream/sessions/s1",
  "/operations/u1",
  "/api/v1/namespaces",
  "/api/v1/events",
  "/apis/berth.dev/v1/nodes",
  "/apis/berth.dev/v1/namespaces/mal/replicas/x1.1.0/log",
  "/apis/coordination.k8s.io",
  "/apis/coordination.k8s.io/v1",
  "/apis/coordination.k8s.io/v1/leases",
  "/apis/coordination.k8s.io/v1/namespaces/mal/leases",
  "/apis/coordination.k8s.io/v1/namespaces/mal/leases/l1",
  "/apis/authentication.k8s.io",
  "/apis/authentication.k8s.io/v1",
  "/apis/authorization.k8s.io",
  "/apis/authorization.k8s.io/v1",
  "/apis/rbac.authorization.k8s.io",
  "/apis/rbac.authorization.k8s.io/v1",
  "/apis/rbac.authorization.k8s.io/v1/roles",
  "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/mal/roles",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/mal/roles/x1",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/mal/rolebindings",
  "/apis/rbac.authorization.k8s.io/v1/namespaces/mal/rolebindings/x1",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles/view",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/x1",
  "/ui/fleet",
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
  "watch",
  "key",
  "deep",
  "whyNot",
  "whatIf",
  "actor",
  "command",
  "before",
  "after",
  "previous",
  "stream",
] as const;

/** What a path takes, so that most questions are answered and not only refused. */
const REPLICAS = ["x0.1.0", "x1.1.0", "x2.1.1", "steady.1.0"] as const;
const PLAUSIBLE: Readonly<Partial<Record<(typeof PARAMETERS)[number], readonly string[]>>> = {
  kind: ["replica", "workload", "node", "decision", "Workload", "user", "agent"],
  name: [...REPLICAS, "x0", "n2", "1", "u1"],
  namespace: ["mal", HONEST.tenant],
  key: ["Replica/mal/x0.1.0", "workload/mal/x0", "Node//n2", "n2", "mal/x0"],
  node: ["n2", "n3", HONEST.node],
  whyNot: ["n2", HONEST.node],
  whatIf: ["true"],
  deep: ["true"],
  watch: ["true", "1", "false"],
  follow: ["true"],
  previous: ["true"],
  stream: ["All", "Stdout", "Stderr"],
  from: ["1", "20", "100"],
  to: ["1", "30", "200"],
  at: ["1s", "1m", "2026-11-16T09:00:00Z"],
  command: ["put", "lease", "bind"],
  actor: ["mallory", "alice"],
};

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
    () => `/apis/berth.dev/v1/namespaces/mal/replicas/${draw.pick(REPLICAS)}/log`,
  ])();
  const asked = path === "/explain" && draw.chance(70) ? [aQuestion(draw)] : [];
  const parameters = [...asked, ...Array.from({ length: draw.size(6) }, () => parameter(draw))];
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return {
    caller,
    method: draw.chance(85) ? "GET" : draw.pick(["HEAD", "OPTIONS", "POST", "TRACE", "PROPFIND"]),
    path: `${path}${query}`,
    headers: { accept: draw.pick(ACCEPTS) },
    ...(draw.chance(5) ? { how: "unread" } : {}),
  };
}

/** Of an object that may be there. */
const aQuestion = (draw: Draw): string => {
  const about = draw.pick([
    () => `kind=replica&namespace=mal&name=${draw.pick(REPLICAS)}`,
    () => `kind=workload&namespace=mal&name=x${draw.below(3)}`,
    () => `kind=node&name=${draw.pick(["n2", HONEST.node])}`,
    () => `kind=decision&name=${draw.below(300)}`,
  ])();
  return `${about}${draw.pick(["", "&whatIf=true", "&whyNot=n2", "&deep=true", "&deep=true&whatIf=true"])}`;
};

function parameter(draw: Draw): string {
  const name = draw.chance(95) ? draw.pick(PARAMETERS) : nastyKey(draw);
  return `${encodedWord(name)}=${encodedWord(parameterValue(draw, name))}`;
}

function parameterValue(draw: Draw, name: string): string {
  if (name === "labelSelector" && draw.chance(85)) return labelSelector(draw);
  if (name === "fieldSelector" && draw.chance(85)) return fieldSelector(draw);
  // A drawn name may be one that every object has.
  const known = Object.hasOwn(PLAUSIBLE, name) ? (name as keyof typeof PLAUSIBLE) : undefined;
  const plausible = known && PLAUSIBLE[known];
  if (plausible !== undefined && draw.chance(60)) return draw.pick(plausible);
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
