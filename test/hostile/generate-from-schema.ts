/** A value of a JSON schema, as OpenAPI and the commands' own schema write them: right in form, drawn in content. */
import type { Draw } from "./draw.ts";
import { type Json, nastyName, nastyNumber, nastyText } from "./nasty-values.ts";

export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly pattern?: string;
}

/** Deeper parts are left out where they may be: a schema can contain itself. */
const DEEPEST = 12;

const PLAUSIBLE = ["100m", "1", "64Mi", "30s", "5%", "zone", "http", "true", "eu"] as const;

export function generateFromSchema(
  draw: Draw,
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
  depth = 0,
): Json {
  const inner = (of: Schema): Json => generateFromSchema(draw, of, components, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return draw.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined && choices.length > 0) return inner(draw.pick(choices));
  if (schema.$ref !== undefined) {
    const named = components[schema.$ref.split("/").at(-1) ?? ""];
    return named === undefined || depth > DEEPEST ? null : inner(named);
  }
  switch (schema.type) {
    case "string":
      return textOf(draw, schema);
    case "integer":
    case "number":
      return numberOf(draw, schema);
    case "boolean":
      return draw.chance(50);
    case "array":
      return listOf(draw, schema, depth, inner);
    default:
      return objectOf(draw, schema, depth, inner);
  }
}

function listOf(draw: Draw, schema: Schema, depth: number, inner: (of: Schema) => Json): Json {
  const { items = {}, minItems = 0 } = schema;
  const most = depth > DEEPEST ? 0 : draw.size(4);
  return Array.from({ length: Math.max(minItems, most) }, () => inner(items));
}

function objectOf(draw: Draw, schema: Schema, depth: number, inner: (of: Schema) => Json): Json {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isIn = (name: string): boolean =>
    required.includes(name) || (depth <= DEEPEST && draw.chance(depth < 3 ? 60 : 35));
  const entries = Object.entries(properties)
    .filter(([name]) => isIn(name))
    .map(([name, of]): [string, Json] => [name, inner(of)]);
  if (typeof additionalProperties === "object" && depth <= DEEPEST) {
    for (let more = draw.below(3); more > 0; more -= 1)
      entries.push([nastyName(draw), inner(additionalProperties)]);
  }
  return Object.fromEntries(entries);
}

/** Of a pattern such as that of keys only the beginning is understood: `^(A|B)/…`. */
function textOf(draw: Draw, { pattern }: Schema): string {
  const kinds = pattern === undefined ? undefined : /^\^\(([A-Za-z|]+)\)\//.exec(pattern)?.[1];
  if (kinds !== undefined)
    return `${draw.pick(kinds.split("|"))}/${nastyName(draw)}/${nastyName(draw)}`;
  if (draw.chance(60)) return draw.pick(PLAUSIBLE);
  return draw.chance(60) ? nastyName(draw) : nastyText(draw);
}

function numberOf(draw: Draw, { type, minimum = 0, maximum = 2 ** 53 - 1 }: Schema): number {
  if (draw.chance(20)) return nastyNumber(draw);
  const drawn = minimum + draw.size(Math.min(maximum - minimum, 10_000));
  return type === "integer" ? Math.round(drawn) : drawn;
}
