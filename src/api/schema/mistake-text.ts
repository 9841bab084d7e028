/** What the schema has against a value, as a sentence with the found and the expected value. */
import type { ErrorObject } from "ajv";
import { didYouMean } from "../../spelling/nearest.ts";
import type { FieldMistake } from "../api-kind.ts";
import { fieldIn, fieldPath } from "./field-path.ts";
import { preview } from "./preview.ts";
import type { Unsupported } from "../../core/kinds/fields/field.ts";
import { DURATION_FORM, secondsMeant } from "../../quantity/duration.ts";
import { EXPECTED, RANGE, UNSUPPORTED } from "./shapes.ts";

/** The keywords of a schema that the sentences speak of. */
interface Described {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly [EXPECTED]?: string;
  readonly [UNSUPPORTED]?: Unsupported;
  /** Of durations only. */
  readonly [RANGE]?: string;
}

/** Longer values are cut: the path says where to look. */
const SHOWN_CHARACTERS = 60;

/**
 * A field that is not there, with the reason if users may well expect it, else with what they may
 * mean.
 */
export function unknownField(error: ErrorObject): FieldMistake {
  const key = String((error.params as { additionalProperty: unknown }).additionalProperty);
  const schema = error.parentSchema as Described;
  const field = fieldIn(fieldPath(error.instancePath), key);
  const unsupported = schema[UNSUPPORTED] ?? {};
  if (Object.hasOwn(unsupported, key)) {
    return { field, message: `field "${field}" is ${unsupported[key]}` };
  }
  const known = Object.keys(schema.properties ?? {});
  return { field, message: `unknown field "${field}".${didYouMean(key, known)}` };
}

export function mistakeOf(error: ErrorObject): FieldMistake {
  const path = fieldPath(error.instancePath);
  const schema = error.parentSchema as Described;
  if (error.keyword === "required") {
    const key = String((error.params as { missingProperty: unknown }).missingProperty);
    const described = schema.properties?.[key]?.description;
    const expected = described === undefined ? "." : `: ${described}`;
    return { field: fieldIn(path, key), message: `required${expected}` };
  }
  // The key of a map is wrong, not a value: ajv points at the map.
  const { propertyName } = error;
  if (propertyName !== undefined) {
    return {
      field: fieldIn(path, propertyName),
      message: `found the key ${shown(propertyName)}; expected ${expectedBy(error, schema)}.`,
    };
  }
  const expected = expectedBy(error, schema);
  return {
    field: path,
    message: `found ${shown(error.data)}; expected ${expected}.${hint(error)}`,
  };
}

function expectedBy(error: ErrorObject, schema: Described): string {
  switch (error.keyword) {
    case "type":
      return schema[EXPECTED] ?? durationText(schema) ?? typeText(schema);
    case "enum":
      return `${(schema.enum ?? []).length === 1 ? "" : "one of "}${(schema.enum ?? []).join(", ")}`;
    case "pattern":
      return schema[EXPECTED] ?? "a different format";
    case "minimum":
    case "maximum":
      return schema[EXPECTED] ?? `a number from ${schema.minimum} to ${schema.maximum}`;
    case "minLength":
      return "non-empty text";
    case "maxLength":
      return `at most ${limitOf(error)} characters`;
    case "minItems":
      return "at least one entry";
    case "maxItems":
      return `at most ${limitOf(error)} entries`;
    case "maxProperties":
      return `at most ${limitOf(error)} entries`;
    case "uniqueItems":
      return "unique entries";
    default:
      return `a value that ${error.message ?? "matches the schema"}`;
  }
}

function hint({ keyword, data, parentSchema }: ErrorObject): string {
  const { type, pattern, enum: words } = parentSchema as Described;
  if (keyword === "enum" && typeof data === "string") return didYouMean(data, words ?? []);
  if (keyword !== "type" || type !== "string") return "";
  if (durationText(parentSchema as Described) !== undefined) return secondsMeant(String(data));
  // YAML reads a bare 8080 or yes as something else than text.
  const isBare = typeof data === "number" || typeof data === "boolean";
  const wouldFit = isBare && new RegExp(pattern ?? "").test(String(data));
  return wouldFit ? " Put it in quotes." : "";
}

/** Undefined of what is no duration. */
const durationText = ({ [RANGE]: range }: Described): string | undefined =>
  range === undefined ? undefined : `${DURATION_FORM}, from ${range}`;

const limitOf = (error: ErrorObject): number => (error.params as { limit: number }).limit;

const TYPE_TEXT: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function typeText({ type = [] }: Described): string {
  const types = typeof type === "string" ? [type] : type;
  return types.map((each) => TYPE_TEXT[each] ?? each).join(" or ");
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  return preview(value, SHOWN_CHARACTERS);
}
