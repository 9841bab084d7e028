import fastify from "fastify";
import { beforeAll, expect, test } from "vitest";
import {
  addAuthorization,
  type GuardedRoute,
  routesOf,
} from "../../../src/api/access/add-authorization.ts";
import { OpenReads } from "../../../src/api/access/open-reads.ts";
import { basePath } from "../../../src/api/list/served-kind.ts";
import { SERVED_KINDS } from "../../../src/api/list/served-kinds.ts";
import { anAuthorizer } from "../../builders/an-authorizer.ts";
import { anApi } from "../an-api.ts";

let routes: readonly GuardedRoute[] = [];

beforeAll(async () => {
  const api = await anApi();
  routes = routesOf(api.app);
  await api.close();
});

test("a server refuses to add a route that has no rule of access [AZ40]", () => {
  const app = fastify();
  addAuthorization(app, { authorizer: anAuthorizer(), openReads: new OpenReads() });
  expect(() => app.get("/forgotten", () => "secret")).toThrow(/\[AZ40\] GET \/forgotten/);
});

test("only health and the files of the dashboard are open without a credential [AZ40]", () => {
  const open = routes.filter(({ access }) => access.kind === "open");
  expect([...new Set(open.map(({ url }) => url))].toSorted()).toEqual([
    "/",
    "/assets/*",
    "/healthz",
    "/livez",
    "/readyz",
    "/ui",
    "/ui/*",
  ]);
});

test("whatever a caller's roles, it may ask for discovery, itself and times only [AZ40]", () => {
  const asked = routes.filter(
    ({ access, method }) =>
      access.kind === "authenticated" && method === "GET" && !/has no/.test(access.why),
  );
  const urls = asked.map(({ url }) => url).filter((url) => !/^\/(api|apis|openapi)/.test(url));
  expect([...new Set(urls)].toSorted()).toEqual([
    "/operations/*",
    "/revisions",
    "/version",
    "/views/:view",
    "/whoami",
  ]);
});

test("what an answer leaves out by itself is listed here, and nothing else is [AZ40]", () => {
  const filtered = routes.filter(({ access }) => access.kind === "filtered");
  expect(filtered.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
    "GET /audit",
    "GET /decisions",
    "GET /diff",
    "GET /explain",
    "GET /incidents",
    "GET /metrics",
    "GET /problems",
    "GET /promises",
    "GET /search",
    "GET /shares",
    "GET /stream/list",
    "GET /stream/state",
    "GET /stream/watch",
    "GET /views/fleet",
    "GET /views/queue",
    "GET /views/quota",
    "GET /views/workloads",
    "POST /commands",
    "POST /metrics-samples",
  ]);
});

test.each(SERVED_KINDS.map((kind) => [`${kind.group}/${kind.api.plural}`, kind] as const))(
  "every path of %s asks roles for just that resource [AZ40]",
  (_, { group, api, ...kind }) => {
    const base = basePath({ group, api, ...kind });
    const scope = api.isNamespaced ? `${base}/namespaces/:namespace` : base;
    const of = `${scope}/${api.plural}`;
    const own = routes.filter(
      ({ url }) =>
        (url === `${base}/${api.plural}` || url === of || url.startsWith(`${of}/`)) &&
        // What is in a namespace is of other kinds.
        !url.startsWith(`${of}/:namespace/`),
    );
    expect(own.some(({ access }) => access.kind === "objects")).toBe(true);
    const isOwn = ({ access }: GuardedRoute): boolean => {
      if (access.kind !== "objects") return access.kind === "authenticated";
      // Powers are over the object that a pod is.
      const asked = access.verb === undefined ? [group, api.plural] : ["berth.dev", "replicas"];
      return [access.group, access.resource].join("/") === asked.join("/");
    };
    expect(own.filter((route) => !isOwn(route))).toEqual([]);
  },
);
