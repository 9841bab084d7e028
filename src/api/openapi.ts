/**
 * The OpenAPI v3 documents: an index with a hash for each group, so that clients keep what has not
 * changed, and one document per group. `kubectl explain` and server-side field validation both
 * start here.
 */
import { createHash } from "node:crypto";
import { componentName, pathsOf } from "./openapi-paths.ts";
import { LIST_META, metaComponents } from "./schema/meta-components.ts";
import { type OpenApiSchema, reference, toOpenApiObject } from "./schema/to-openapi.ts";
import { GROUP_PATHS, groupVersionKind, type ServedResource } from "./served-resource.ts";

export interface OpenApiDocument {
  readonly body: string;
  readonly hash: string;
}

/** By the path after `/openapi/v3/`: `apis/berth.dev/v1` and `api/v1`. */
export function openApiDocuments(
  served: readonly ServedResource[],
): ReadonlyMap<string, OpenApiDocument> {
  return new Map(
    [...GROUP_PATHS].map(([group, path]) => {
      const resources = served.filter((resource) => resource.group === group);
      const body = JSON.stringify(documentOf(resources));
      return [path, { body, hash: createHash("sha512").update(body).digest("hex") }];
    }),
  );
}

/** `/openapi/v3`. The hash in the address lets a client keep the document forever. */
export const openApiIndex = (documents: ReadonlyMap<string, OpenApiDocument>) => ({
  paths: Object.fromEntries(
    [...documents].map(([path, { hash }]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hash.toUpperCase()}` },
    ]),
  ),
});

function documentOf(resources: readonly ServedResource[]) {
  return {
    openapi: "3.0.0",
    info: { title: "Berth", version: "v1" },
    paths: Object.assign({}, ...resources.map(pathsOf)) as object,
    components: {
      schemas: Object.assign({}, metaComponents, ...resources.map(schemasOf)) as object,
    },
  };
}

function schemasOf(resource: ServedResource): Readonly<Record<string, OpenApiSchema>> {
  const { name, api } = resource;
  const component = componentName(resource);
  const identity = groupVersionKind(resource);
  return {
    [component]: {
      ...toOpenApiObject(api.schema),
      "x-kubernetes-group-version-kind": [identity],
    },
    [`${component}List`]: {
      type: "object",
      description: `A list of objects of kind ${name}.`,
      required: ["items"],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: reference(LIST_META) }] },
        items: { type: "array", items: { allOf: [{ $ref: reference(component) }] } },
      },
      "x-kubernetes-group-version-kind": [{ ...identity, kind: `${name}List` }],
    },
  };
}
