/**
 * The OpenAPI v2 document in its binary form, the only one that kubectl reads. Kubectl before 1.27
 * takes the types for `explain` and for its own check of manifests from it, and from the PATCH
 * operations whether the server has dry runs. Only what it looks at is written: types, descriptions
 * and the query parameters of PATCH. A schema without a type is any value.
 */
import { fieldOf, isJsonObject } from "./http/json-value.ts";

/** Numbers of the fields, as the published form of OpenAPI v2 has them. */
const DOCUMENT = { swagger: 1, info: 2, paths: 8, definitions: 9 } as const;
const INFO = { title: 1, version: 2 } as const;
const PATHS = { path: 2 } as const;
const PATH_ITEM = { patch: 8 } as const;
const OPERATION = { parameters: 8, extension: 13 } as const;
const PARAMETER_OF_OPERATION = { parameter: 1 } as const;
const PARAMETER = { nonBody: 2 } as const;
const NON_BODY = { query: 3 } as const;
const QUERY = { in: 2, name: 4, type: 6 } as const;
const NAMED = { name: 1, value: 2 } as const;
const ANY = { yaml: 2 } as const;
const SCHEMA = {
  reference: 1,
  format: 2,
  description: 4,
  required: 19,
  additional: 21,
  type: 22,
  items: 23,
  properties: 25,
  extension: 31,
} as const;
/** The one field of a message that only holds others. */
const ONLY = 1;

const KIND = "x-kubernetes-group-version-kind";

export interface V2Document {
  readonly swagger: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, unknown>>;
}

export function openApiV2Protobuf({ swagger, info, paths, definitions }: V2Document): Buffer {
  return message(
    text(DOCUMENT.swagger, swagger),
    part(DOCUMENT.info, text(INFO.title, info.title), text(INFO.version, info.version)),
    part(DOCUMENT.paths, ...Object.entries(paths).map(pathItem)),
    part(DOCUMENT.definitions, ...named(ONLY, definitions, schema)),
  );
}

function pathItem([path, item]: readonly [string, unknown]): Buffer {
  const patch = fieldOf(item, "patch");
  if (patch === undefined) return message();
  const parameters = fieldOf(patch, "parameters");
  const queries = (Array.isArray(parameters) ? parameters : []).map((parameter) => {
    const type = fieldOf(fieldOf(parameter, "schema"), "type");
    const query = [
      text(QUERY.in, "query"),
      text(QUERY.name, fieldOf(parameter, "name")),
      text(QUERY.type, type),
    ];
    const nonBody = part(PARAMETER.nonBody, part(NON_BODY.query, ...query));
    return part(OPERATION.parameters, part(PARAMETER_OF_OPERATION.parameter, nonBody));
  });
  const operation = part(PATH_ITEM.patch, ...queries, extension(OPERATION.extension, patch));
  return part(PATHS.path, text(NAMED.name, path), part(NAMED.value, operation));
}

/** A choice between schemas has no type here: a client then takes any value for it. */
function schema(of: unknown): Buffer {
  const reference = referenceOf(of);
  const description = text(SCHEMA.description, fieldOf(of, "description"));
  if (reference !== undefined) return message(text(SCHEMA.reference, reference), description);
  const required = fieldOf(of, "required");
  const items = fieldOf(of, "items");
  const properties = fieldOf(of, "properties");
  const additional = fieldOf(of, "additionalProperties");
  const isChoice = fieldOf(of, "x-kubernetes-int-or-string") === true;
  return message(
    description,
    text(SCHEMA.format, fieldOf(of, "format")),
    ...(Array.isArray(required) ? required.map((name) => text(SCHEMA.required, name)) : []),
    isJsonObject(additional) ? part(SCHEMA.additional, part(ONLY, schema(additional))) : message(),
    isChoice ? message() : part(SCHEMA.type, text(ONLY, fieldOf(of, "type"))),
    items === undefined ? message() : part(SCHEMA.items, part(ONLY, schema(items))),
    isJsonObject(properties)
      ? part(SCHEMA.properties, ...named(ONLY, properties, schema))
      : message(),
    extension(SCHEMA.extension, of),
  );
}

/** A reference with a description beside it stands in `allOf`, alone. */
function referenceOf(of: unknown): unknown {
  const all = fieldOf(of, "allOf");
  return fieldOf(of, "$ref") ?? (Array.isArray(all) ? fieldOf(all[0], "$ref") : undefined);
}

const named = (
  field: number,
  values: Readonly<Record<string, unknown>>,
  write: (value: unknown) => Buffer,
): readonly Buffer[] =>
  Object.entries(values).map(([name, value]) =>
    part(field, text(NAMED.name, name), part(NAMED.value, write(value))),
  );

/** Which kind it is about. JSON is YAML. */
function extension(field: number, of: unknown): Buffer {
  const kind = fieldOf(of, KIND);
  if (kind === undefined) return message();
  const yaml = text(ANY.yaml, JSON.stringify(kind));
  return part(field, text(NAMED.name, KIND), part(NAMED.value, yaml));
}

const message = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);

const text = (field: number, value: unknown): Buffer =>
  typeof value === "string" && value !== "" ? part(field, Buffer.from(value)) : message();

/** A field of a known length. */
function part(field: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = message(...parts);
  return message(varint(field * 8 + 2), varint(bytes.length), bytes);
}

/** Seven bits to a byte, the lowest first; all but the last byte say that another follows. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
