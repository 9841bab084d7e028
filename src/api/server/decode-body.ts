/** Reads the body of a request: JSON or YAML, never trusted, with the place of the mistake in the message. */
import { parseDocument } from "yaml";
import { ApiError } from "../errors.ts";
import { duplicateFields } from "./duplicate-fields.ts";
import { hasForbiddenName, isJsonObject, type JsonObject, nestsDeeperThan } from "./json-value.ts";
import { mediaTypeOf } from "./negotiate.ts";
import { readProtobuf } from "./read-protobuf.ts";

/** Far deeper than any manifest; what walks over a body may use the stack. */
const DEPTH_MAX = 100;

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

/** `allowed` lists the media types the route can read. */
export function decodeBody(
  request: {
    readonly body: unknown;
    readonly headers: { readonly "content-type"?: string | undefined };
  },
  allowed: readonly string[],
): DecodedBody {
  const type = mediaTypeOf(request.headers["content-type"]);
  if (!allowed.includes(type)) {
    throw new ApiError(
      "unsupported-media-type",
      `The body is "${type}"; accepted here: ${allowed.join(", ")}.`,
    );
  }
  if (Buffer.isBuffer(request.body)) return { value: readProtobuf(request.body), duplicates: [] };
  const text = typeof request.body === "string" ? request.body : "";
  if (text.trim() === "") throw new ApiError("malformed-body", "It is empty.");
  const decoded = YAML_TYPES.has(type) ? readYaml(text) : readJson(text);
  if (nestsDeeperThan(decoded.value, DEPTH_MAX)) {
    throw new ApiError("malformed-body", `It nests deeper than ${DEPTH_MAX} levels.`);
  }
  if (hasForbiddenName(decoded.value)) {
    throw new ApiError("malformed-body", "No field may be called __proto__.");
  }
  return decoded;
}

export function decodeObject(
  request: Parameters<typeof decodeBody>[0],
  allowed: readonly string[],
): { readonly value: JsonObject; readonly duplicates: readonly string[] } {
  const { value, duplicates } = decodeBody(request, allowed);
  if (!isJsonObject(value)) throw new ApiError("malformed-body", "It is not an object.");
  return { value, duplicates };
}

function readJson(text: string): DecodedBody {
  try {
    return { value: JSON.parse(text) as unknown, duplicates: duplicateFields(text) };
  } catch (error) {
    throw new ApiError("malformed-body", `It is not valid JSON: ${messageOf(error)}.`);
  }
}

function readYaml(text: string): DecodedBody {
  try {
    const document = parseDocument(text, { uniqueKeys: false });
    const [mistake] = document.errors;
    if (mistake !== undefined) throw mistake;
    // Duplicates are looked for by a second, strict reading, because this one keeps the last of each.
    const strict = parseDocument(text, { uniqueKeys: true });
    const duplicates = strict.errors
      .filter(({ code }) => code === "DUPLICATE_KEY")
      .map(({ linePos }) => `line ${linePos?.[0].line ?? "?"}`);
    return { value: document.toJS() as unknown, duplicates };
  } catch (error) {
    throw new ApiError("malformed-body", `It is not valid YAML: ${messageOf(error)}.`);
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/[.:]$/, "") ??
  "";
