/**
 * The OpenAPI v2 document. kubectl falls back to it for kinds that no v3 document has, reads it
 * only in its binary form, and looks up types there; it finds none and asks discovery instead,
 * which gives the true answer. Other clients get the same schemas as in v3, as JSON.
 */
import type { OpenApiDocument } from "./openapi.ts";

export const OPENAPI_V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const INFO = { title: "Berth", version: "v1" } as const;

export function openApiV2(documents: ReadonlyMap<string, OpenApiDocument>): string {
  const schemas = [...documents.values()].map(
    ({ body }) =>
      (JSON.parse(body) as { readonly components: { readonly schemas: object } }).components
        .schemas,
  );
  const definitions = JSON.stringify(Object.assign({}, ...schemas)).replaceAll(
    '"$ref":"#/components/schemas/',
    '"$ref":"#/definitions/',
  );
  const head = JSON.stringify({ swagger: "2.0", info: INFO, paths: {} });
  return `${head.slice(0, -1)},"definitions":${definitions}}`;
}

/** A document without types: fields 1 (`swagger`) and 2 (`info`) of the binary form. */
export function openApiV2Protobuf(): Buffer {
  const info = Buffer.concat([text(1, INFO.title), text(2, INFO.version)]);
  return Buffer.concat([text(1, "2.0"), part(2, info)]);
}

const text = (field: number, value: string): Buffer => part(field, Buffer.from(value));

/** A field of a known length that needs one byte: nothing here is long. */
const part = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2, bytes.length]), bytes]);
