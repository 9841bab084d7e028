/**
 * Checks what a client sent against the schema of its kind. Unknown fields are told apart from wrong
 * values, because clients choose whether unknown fields are an error, a warning or nothing at all.
 */
import { Ajv, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import type { ApiKind, FieldMistake } from "../api-kind.ts";
import { mistakeOf, unknownField } from "./mistake-text.ts";
import { EXPECTED, UNSUPPORTED } from "./shapes.ts";

export interface ObjectCheck {
  /** Fields the kind does not have; the messages name them in full. */
  readonly unknownFields: readonly FieldMistake[];
  /** Everything else that is wrong. */
  readonly mistakes: readonly FieldMistake[];
}

const ajv = new Ajv({
  allErrors: true,
  // The sentences quote the value and the schema.
  verbose: true,
  allowUnionTypes: true,
  // Formats are documentation here; the kinds read times and quantities themselves.
  validateFormats: false,
});
ajv.addVocabulary([UNSUPPORTED, EXPECTED, "x-kubernetes-preserve-unknown-fields"]);

/** Compiled on first use: a plane that is never written to compiles nothing. */
const compiled = new WeakMap<TSchema, ValidateFunction>();

export function checkObject(kind: ApiKind, value: unknown): ObjectCheck {
  let validate = compiled.get(kind.schema);
  if (validate === undefined) {
    validate = ajv.compile(kind.schema);
    compiled.set(kind.schema, validate);
  }
  validate(withoutStatus(value));
  const errors = validate.errors ?? [];
  return {
    unknownFields: errors.filter(({ keyword }) => keyword === UNKNOWN).map(unknownField),
    // `propertyNames` only says that another error, which is in the list too, is about a key.
    mistakes: errors
      .filter(({ keyword }) => keyword !== UNKNOWN && keyword !== "propertyNames")
      .map(mistakeOf),
  };
}

const UNKNOWN = "additionalProperties";

/** Clients send back the status they read. It is not theirs to write, so it cannot be wrong either. */
function withoutStatus(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { status: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}
