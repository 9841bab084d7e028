/**
 * Reads the body of a request: JSON or YAML, never trusted, with the place of the mistake in the
 * message. A text is counted before it is parsed, so that no body costs more than its bounds allow.
 */
import { ApiError } from "../errors.ts";
import { readYaml, type YamlDocument } from "../yaml/read-yaml.ts";
import { YamlError } from "../yaml/yaml-cursor.ts";
import { BODY } from "./body-limits.ts";
import { duplicateFields } from "./duplicate-fields.ts";
import { echoed } from "./echoed.ts";
import { hasForbiddenName, isJsonObject, type JsonObject } from "./json-value.ts";
import { measureJson } from "./measure-json.ts";
import { mediaTypeOf } from "./negotiate.ts";
import { readProtobuf } from "../protobuf/read-protobuf.ts";

const YAML_TYPES = new Set([
  "application/yaml",
  "application/x-yaml",
  "text/yaml",
  "application/apply-patch+yaml",
]);

export interface DecodedBody {
  readonly value: unknown;
  /** Fields the text gives twice; the value has the last of each. */
  readonly duplicates: readonly string[];
}

/** How much a route reads. */
export interface BodySize {
  readonly bytes: number;
  readonly values: number;
}

const OF_OBJECTS: BodySize = { bytes: BODY.jsonBytes, values: BODY.values };
/** Agents and controllers send long lists of small things. */
export const OF_COMMANDS: BodySize = { bytes: BODY.commandBytes, values: BODY.commandValues };

/** `allowed` lists the media types the route can read. */
export function decodeBody(
  request: {
    readonly body: unknown;
    readonly headers: { readonly "content-type"?: string | undefined };
  },
  allowed: readonly string[],
  most: BodySize = OF_OBJECTS,
): DecodedBody {
  const type = mediaTypeOf(request.headers["content-type"]);
  if (!allowed.includes(type)) {
    throw new ApiError(
      "unsupported-media-type",
      `The body is "${echoed(type)}"; accepted here: ${allowed.join(", ")}.`,
    );
  }
  if (Buffer.isBuffer(request.body)) {
    checkBytes(request.body.length, most.bytes, "");
    const value = readProtobuf(request.body);
    if (!hasForbiddenName(value)) return { value, duplicates: [] };
    throw new ApiError("malformed-body", "The field name __proto__ is not allowed.");
  }
  const text = typeof request.body === "string" ? request.body : "";
  if (!/\S/.test(text)) throw new ApiError("malformed-body", "The body is empty.");
  // JSON is YAML, and what kubectl sends as YAML is JSON.
  const isJson = !YAML_TYPES.has(type) || (/^\s*\{/.test(text) && isValidJson(text, most));
  return isJson ? decodeJson(text, most) : decodeYaml(text);
}

function checkBytes(found: number, most: number, hint: string): void {
  if (found <= most) return;
  throw new ApiError("body-too-large", `The body has ${found} bytes; the limit is ${most}.${hint}`);
}

export function decodeObject(
  request: Parameters<typeof decodeBody>[0],
  allowed: readonly string[],
  most?: BodySize,
): { readonly value: JsonObject; readonly duplicates: readonly string[] } {
  const { value, duplicates } = decodeBody(request, allowed, most);
  if (!isJsonObject(value)) throw new ApiError("malformed-body", "The body is not an object.");
  return { value, duplicates };
}

function decodeJson(text: string, most: BodySize): DecodedBody {
  const values = checkJson(text, most);
  try {
    const value = JSON.parse(text) as unknown;
    // A field that is there twice is there once in the value, so the value has fewer.
    return { value, duplicates: valuesIn(value) === values ? [] : duplicateFields(text) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("malformed-body", `The body is not valid JSON: ${messageOf(error)}.`);
  }
}

/** How many values there are in the text. */
function checkJson(text: string, most: BodySize): number {
  checkBytes(Buffer.byteLength(text), most.bytes, "");
  const { exceeds, values } = measureJson(text, { depth: BODY.depth, values: most.values });
  if (exceeds === undefined) return values;
  throw new ApiError(
    "malformed-body",
    exceeds === "depth"
      ? `The body nests deeper than ${BODY.depth} levels.`
      : `The body has more than ${most.values} values.`,
  );
}

function isValidJson(text: string, most: BodySize): boolean {
  try {
    checkJson(text, most);
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decodeYaml(text: string): DecodedBody {
  checkBytes(Buffer.byteLength(text), BODY.yamlBytes, " JSON may be longer.");
  const { value, duplicates } = yamlOf(text);
  return { value, duplicates: duplicates.slice(0, BODY.duplicatesTold) };
}

function yamlOf(text: string): YamlDocument {
  try {
    return readYaml(text, BODY);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ApiError("malformed-body", `The body is not valid YAML: ${echoed(error.message)}.`);
  }
}

/**
 * As `measureJson` counts them: one, and for each list and object as many as it holds, at least
 * one. NaN where a name is not allowed. The value nests no deeper than is allowed.
 */
function valuesIn(value: unknown): number {
  return 1 + within(value);
}

function within(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  let inner = 0;
  if (Array.isArray(value)) {
    count = value.length;
    for (const each of value) inner += within(each);
  } else {
    for (const name in value) {
      if (name === "__proto__" || name.length > BODY.nameBytes) return Number.NaN;
      count += 1;
      inner += within((value as JsonObject)[name]);
    }
  }
  return Math.max(count, 1) + inner;
}

const messageOf = (error: unknown): string =>
  echoed(
    (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/[.:]$/, "") ??
      "",
  );
