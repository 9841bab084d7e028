/**
 * Schemas in the dialect of OpenAPI that kubectl reads. Only the dialect differs: nothing is said
 * here that the check does not enforce, and nothing of it is left out that a reader could use.
 */
import type { TSchema } from "typebox";
import { EXPECTED, RANGE, UNSUPPORTED } from "./shapes.ts";

export type OpenApiSchema = Readonly<Record<string, unknown>>;

export const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
export const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";

export const INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";

export const reference = (component: string) => `#/components/schemas/${component}`;

/** Keywords that OpenAPI does not know, or that only say what is refused. */
const LEFT_OUT: ReadonlySet<string> = new Set([UNSUPPORTED, EXPECTED, RANGE, "propertyNames"]);

interface Keywords extends Readonly<Record<string, unknown>> {
  readonly description?: string;
  readonly default?: string | number | boolean;
}

/** `kubectl explain` prints descriptions, not defaults. */
const withDefault = (description: string, { default: value }: Keywords): string =>
  value === undefined ? description : `${description} Defaults to ${value}.`;

export function toOpenApi(schema: TSchema): OpenApiSchema {
  const { description, ...rest } = schema as Keywords;
  const text = description === undefined ? {} : { description: withDefault(description, rest) };
  // OpenAPI 3.0 has no lists of types: text or a number is a quantity, text or a whole number has a
  // name of its own.
  const { type } = rest;
  if (Array.isArray(type)) {
    const component = type.includes("integer") ? INT_OR_STRING : QUANTITY;
    return { ...text, allOf: [{ $ref: reference(component) }] };
  }
  const kept = Object.entries(rest).filter(
    ([keyword, value]) =>
      !LEFT_OUT.has(keyword) && !(keyword === "additionalProperties" && value === false),
  );
  return { ...text, ...Object.fromEntries(kept.map(([key, value]) => [key, inner(key, value)])) };
}

function inner(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, toOpenApi(each as TSchema)]),
      );
    case "items":
    case "additionalProperties":
      return toOpenApi(value as TSchema);
    default:
      return value;
  }
}

/** A whole object: its metadata is the same for every kind, so it is referred to. */
export function toOpenApiObject(schema: TSchema): OpenApiSchema {
  const whole = toOpenApi(schema);
  const properties = whole["properties"] as Readonly<Record<string, OpenApiSchema>>;
  const described = properties["metadata"]?.["description"];
  return {
    ...whole,
    properties: {
      ...properties,
      metadata: { description: described, allOf: [{ $ref: reference(OBJECT_META) }] },
    },
  };
}
