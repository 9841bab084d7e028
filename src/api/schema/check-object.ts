/**
 * Checks what a client sent against the schema of its kind. Unknown fields are told apart from
 * wrong values, because clients choose whether unknown fields are an error, a warning or nothing at
 * all.
 */
import { Ajv, type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import type { ApiKind, FieldMistake } from "../api-kind.ts";
import { mistakeOf, unknownField } from "./mistake-text.ts";
import { EXPECTED, RANGE, UNSUPPORTED } from "./shapes.ts";

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
  // Optimizing takes as long as all the rest of compiling, and saves a check a third of a
  // microsecond.
  code: { optimize: false },
});
ajv.addVocabulary([UNSUPPORTED, EXPECTED, RANGE, "x-kubernetes-preserve-unknown-fields"]);

/**
 * Compiled on first use, unless there was time before: a command that checks nothing compiles
 * nothing.
 */
const compiled = new WeakMap<TSchema, ValidateFunction>();

/**
 * What the first check of a kind would begin with; for the schema of a workload that is a quarter
 * of a second.
 */
export function compileCheck({ schema }: ApiKind): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

export function checkObject(kind: ApiKind, value: unknown): ObjectCheck {
  const validate = compileCheck(kind);
  validate(withoutStatus(value));
  const errors = validate.errors ?? [];
  return {
    unknownFields: errors
      .filter(({ keyword }) => keyword === UNKNOWN)
      .slice(0, MISTAKES_MAX)
      .map(unknownField),
    // `propertyNames` only says that another error, which is in the list too, is about a key.
    mistakes: errors
      .filter(({ keyword }) => keyword !== UNKNOWN && keyword !== "propertyNames")
      .slice(0, MISTAKES_MAX)
      .map(mistakeOf),
  };
}

const UNKNOWN = "additionalProperties";

/** A person corrects fewer at once, and a sentence costs more than finding its mistake. */
const MISTAKES_MAX = 50;

/**
 * Clients send back the status they read. It is not theirs to write, so it cannot be wrong either.
 */
function withoutStatus(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { status: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}
