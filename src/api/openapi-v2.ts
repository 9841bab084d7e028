/**
 * The OpenAPI v2 document: the paths and schemas of the v3 documents in one. Kubectl reads it in
 * its binary form, other clients as JSON.
 */
import type { OpenApiDocument } from "./openapi.ts";
import { openApiV2Protobuf, type V2Document } from "./openapi-v2-protobuf.ts";

export const OPENAPI_V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const INFO = { title: "Berth", version: "v1" } as const;

export interface OpenApiV2 {
  readonly json: string;
  readonly protobuf: Buffer;
}

export function openApiV2(documents: ReadonlyMap<string, OpenApiDocument>): OpenApiV2 {
  const bodies = [...documents.values()].map(({ body }) => JSON.parse(inV2(body)) as V3Body);
  const definitions = Object.assign({}, ...bodies.map(({ components }) => components.schemas));
  const paths = Object.assign({}, ...bodies.map((body) => body.paths));
  const head = { swagger: "2.0", info: INFO } as const;
  const binary: V2Document = { ...head, paths, definitions };
  // The operations of v3 have another form: v2 as JSON has the schemas only.
  const json = JSON.stringify({ ...head, paths: {}, definitions });
  return { json, protobuf: openApiV2Protobuf(binary) };
}

interface V3Body {
  readonly paths: V2Document["paths"];
  readonly components: { readonly schemas: V2Document["definitions"] };
}

const inV2 = (body: string): string =>
  body.replaceAll('"$ref":"#/components/schemas/', '"$ref":"#/definitions/');
