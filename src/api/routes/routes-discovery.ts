/** What the server has: discovery in both forms, and the schema of every kind. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import {
  AGGREGATED_TYPE,
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from "../discovery.ts";
import { ASKED_GROUPS } from "../access/asked-resources.ts";
import { ApiError } from "../errors.ts";
import { VERSION } from "../group-version.ts";
import { type OpenApiDocument, openApiDocuments, openApiIndex } from "../openapi.ts";
import { OPENAPI_V2_PROTOBUF, type OpenApiV2, openApiV2 } from "../openapi-v2.ts";
import type { ServedKind } from "../list/served-kind.ts";
import { NAMED_GROUPS } from "../served-resource.ts";
import { asks, DISCOVERY } from "../access/route-rule.ts";

/** Kubernetes' definitions of further kinds: Berth has none, so their list is empty. */
const DEFINITIONS = { group: "apiextensions.k8s.io", plural: "customresourcedefinitions" };

export function addDiscoveryRoutes(app: FastifyInstance, kinds: readonly ServedKind[]): void {
  const aggregatedOr =
    (groups: readonly string[], plain: (request: FastifyRequest) => unknown) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (acceptsAggregated(request.headers.accept)) {
        const document = aggregatedDiscovery(groups, kinds);
        // As bytes: for text the framework would add a charset, and clients compare the type.
        const bytes = Buffer.from(JSON.stringify(document));
        await reply.header("Content-Type", AGGREGATED_TYPE).send(bytes);
      } else {
        await reply.send(plain(request));
      }
    };
  const add = (url: string, handler: RouteHandlerMethod): void =>
    void app.get(url, { exposeHeadRoute: true, ...asks(DISCOVERY) }, handler);
  const groups = [...NAMED_GROUPS, ...ASKED_GROUPS];
  add(
    "/api",
    aggregatedOr([""], (request) => apiVersions(request.host)),
  );
  add("/apis", aggregatedOr(groups, apiGroupList));
  for (const group of groups) {
    add(`/apis/${group}`, async () => apiGroup(group));
    add(`/apis/${group}/${VERSION}`, async () => apiResourceList(group, kinds));
  }
  // kubectl asks for them before it says that a kind does not exist.
  add(`/apis/${DEFINITIONS.group}/v1/${DEFINITIONS.plural}`, async () => ({
    kind: "CustomResourceDefinitionList",
    apiVersion: `${DEFINITIONS.group}/v1`,
    metadata: { resourceVersion: "0" },
    items: [],
  }));
  add("/api/v1", async () => apiResourceList("", kinds));

  addOpenApi(add, kinds);
}

/** Made when a client first asks: a plane starts sooner, and most agents and scripts never ask. */
function addOpenApi(
  add: (url: string, handler: RouteHandlerMethod) => void,
  kinds: readonly ServedKind[],
): void {
  let made: ReadonlyMap<string, OpenApiDocument> | undefined;
  const documents = () => (made ??= openApiDocuments(kinds));
  let v2: OpenApiV2 | undefined;
  add("/openapi/v3", async () => openApiIndex(documents()));
  add("/openapi/v2", async (request, reply) => {
    v2 ??= openApiV2(documents());
    const isBinary = (request.headers.accept ?? "").includes("+protobuf");
    await reply
      .header("Content-Type", isBinary ? OPENAPI_V2_PROTOBUF : "application/json")
      .send(isBinary ? v2.protobuf : v2.json);
  });
  add("/openapi/v3/*", async (request, reply) => {
    const path = (request.params as { readonly "*": string })["*"];
    const document = documents().get(path);
    if (document === undefined)
      throw new ApiError("no-such-path", `There is no schema of ${path}.`);
    const { hash } = request.query as { readonly hash?: string };
    // An address that names the document's own hash can be kept for good.
    if (hash?.toUpperCase() === document.hash.toUpperCase()) {
      void reply.header("Cache-Control", "public, immutable");
    }
    void reply.header("ETag", `"${document.hash}"`);
    await reply.header("Content-Type", "application/json").send(document.body);
  });
}

/** Clients list the forms they can read; the plain one is always among them. */
function acceptsAggregated(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((range) => {
    const parts = new Set(range.split(";").map((part) => part.trim()));
    return (
      parts.has("g=apidiscovery.k8s.io") &&
      parts.has("v=v2") &&
      parts.has("as=APIGroupDiscoveryList")
    );
  });
}
