/**
 * Which form of the answer the client accepts: plain objects, a table for people, or metadata
 * alone.
 */
import { ApiError } from "../errors.ts";

export type Form = "object" | "table" | "partial";

const YAML = "application/yaml";
const META_VERSIONS = new Set(["v1", "v1beta1"]);
const PARTIAL = new Set(["PartialObjectMetadata", "PartialObjectMetadataList"]);

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The first accepted form that exists; clients list them in the order they like them. */
export function negotiateForm(accept: string | undefined): Form {
  if (accept === undefined || accept.trim() === "") return "object";
  const form = likedOf(accept)
    .map(formOf)
    .find((each) => each !== undefined);
  if (form !== undefined) return form;
  throw notAcceptable(
    "application/json, application/yaml, application/json;as=Table;v=v1;g=meta.k8s.io, application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  );
}

/** Whether the form that the client likes best is to be written as YAML. */
export function likesYaml(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes("yaml")) return false;
  return likedOf(accept).find((range) => formOf(range) !== undefined)?.type === YAML;
}

/** A watch is lines of JSON, and no text of YAML is a line. */
export function checkStreams(accept: string | undefined): void {
  if (likesYaml(accept)) throw notAcceptable("application/json");
}

const notAcceptable = (types: string): ApiError =>
  ApiError.worded("not-acceptable", `only the following media types are accepted: ${types}`);

const likedOf = (accept: string): readonly MediaRange[] =>
  accept
    .split(",")
    .map(parseRange)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);

function formOf({ type, parameters }: MediaRange): Form | undefined {
  if (!["application/json", YAML, "application/*", "*/*"].includes(type)) return undefined;
  const as = parameters.get("as");
  if (as === undefined) return "object";
  if (parameters.get("g") !== "meta.k8s.io" || !META_VERSIONS.has(parameters.get("v") ?? "")) {
    return undefined;
  }
  if (as === "Table") return "table";
  return PARTIAL.has(as) ? "partial" : undefined;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters = new Map(
    rest.map((part): [string, string] => {
      const [name = "", value = ""] = part.split("=");
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
    }),
  );
  const quality = Number(parameters.get("q") ?? "1");
  return { type: type.toLowerCase(), quality: Number.isNaN(quality) ? 0 : quality, parameters };
}

/**
 * The type of a body, without its parameters; a body without a type is taken for JSON, as kubectl's
 * is.
 */
export function mediaTypeOf(contentType: string | undefined): string {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" ? "application/json" : type;
}
