/**
 * Drops what a kind has no field for, as clients ask for that do not want unknown fields to be an
 * error.
 */
import type { ApiKind } from "../api-kind.ts";

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
}

export function withoutUnknownFields(kind: ApiKind, value: unknown): unknown {
  return hasUnknown(kind.schema, value) ? prune(kind.schema, value) : value;
}

/** Hardly any object has one, and then there is nothing to copy. */
function hasUnknown(shape: Shape, value: unknown): boolean {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items !== undefined && value.some((item: unknown) => hasUnknown(items, item));
  }
  const { properties } = shape;
  if (typeof value !== "object" || value === null || properties === undefined) return false;
  for (const key in value) {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (inner === undefined || hasUnknown(inner, (value as Readonly<Record<string, unknown>>)[key]))
      return true;
  }
  return false;
}

function prune(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items === undefined ? value : value.map((item: unknown) => prune(items, item));
  }
  const { properties } = shape;
  if (typeof value !== "object" || value === null || properties === undefined) return value;
  const known = Object.entries(value).filter(([key]) => Object.hasOwn(properties, key));
  return Object.fromEntries(
    known.map(([key, each]) => {
      const inner = properties[key];
      return [key, inner === undefined ? each : prune(inner, each)];
    }),
  );
}
