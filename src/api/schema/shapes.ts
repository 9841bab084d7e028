/**
 * The shapes that schemas are built from. A schema made here is at once what ajv checks, what
 * TypeScript infers and, after small changes of dialect, what `kubectl explain` prints.
 */
import { type TProperties, type TSchema, type TUnsafe, Type } from "typebox";
import type { Bounds, MapForm, Unsupported } from "../../core/kinds/fields/field.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import type { Percentage } from "../../core/model/text/percentage.ts";
import { formatDuration } from "../../quantity/duration.ts";

/** Where a schema keeps fields that are refused with a reason; the check reads it. */
export const UNSUPPORTED = "x-berth-unsupported";

/** What a pattern asks for, in words; read by the check, left out of OpenAPI. */
export const EXPECTED = "x-berth-expected";

/** Between which durations a text must be, in words; for the reference, left out of OpenAPI. */
export const RANGE = "x-berth-range";

/** An object with exactly these fields. */
export function fields<P extends TProperties>(
  description: string,
  properties: P,
  unsupported?: Unsupported,
) {
  return Type.Object(properties, {
    description,
    additionalProperties: false,
    ...(unsupported === undefined ? {} : { [UNSUPPORTED]: unsupported }),
  });
}

/** One of a few words. */
export function choice<const Word extends string>(
  description: string,
  words: readonly Word[],
  byDefault?: Word,
): TUnsafe<Word> {
  return Type.Unsafe<Word>({
    type: "string",
    enum: words,
    description,
    ...(byDefault === undefined ? {} : { default: byDefault }),
  });
}

export const text = (description: string) =>
  Type.String({ description, maxLength: OBJECT_MOST.textBytes });

/** A text that must not be empty. */
export const word = (description: string, most: number = OBJECT_MOST.textBytes) =>
  Type.String({ description, minLength: 1, maxLength: most });

/** What names become parts of: keys and operation ids, which are joined with slashes. */
const NAME_PATTERN = "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$";

const NAME_EXPECTED = "a name of lower-case letters, digits, '-' and '.', such as eu-west";

/** The name of another object, or of something that is named like one. */
export const name = (description: string) =>
  Type.String({
    description,
    pattern: NAME_PATTERN,
    maxLength: 253,
    [EXPECTED]: NAME_EXPECTED,
  });

/** CPUs or memory: `500m`, `256Mi`, or a plain number. What the text means is read by the kind. */
export const quantity = (description: string) =>
  Type.Unsafe<string | number>({ type: ["string", "number"], description });

/** A whole number, or a part of one: `2`, `25%`. */
export const countOrPart = (
  description: string,
  of: { readonly to: number; readonly byDefault: number | Percentage },
) =>
  Type.Unsafe<number | Percentage>({
    type: ["integer", "string"],
    description,
    minimum: 0,
    maximum: of.to,
    pattern: "^(0|[1-9][0-9]{0,2})%$",
    [EXPECTED]: `a whole number from 0 to ${of.to}, or a percentage such as 25%`,
    default: of.byDefault,
  });

/** What the text means is read by the kind, within the same bounds. */
export const duration = (description: string, { least, most }: Bounds, byDefault?: string) =>
  Type.String({
    description,
    [RANGE]: `${formatDuration(least)} to ${formatDuration(most)}`,
    ...(byDefault === undefined ? {} : { default: byDefault }),
  });

export const wholeNumber = (
  description: string,
  of: { readonly from: number; readonly to: number; readonly byDefault?: number },
) =>
  Type.Integer({
    description,
    minimum: of.from,
    maximum: of.to,
    ...(of.byDefault === undefined ? {} : { default: of.byDefault }),
  });

export const flag = (description: string, byDefault = false) =>
  Type.Boolean({ description, default: byDefault });

export const time = (description: string) => Type.String({ description, format: "date-time" });

/** Text by key. */
export const textMap = (description: string, most: number = OBJECT_MOST.mapEntries) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    maxProperties: most,
    additionalProperties: { type: "string" },
    description,
  });

/** The same thing under names that somebody chooses; left out: each a name as objects have. */
export const mapOf = <Each extends TSchema>(
  description: string,
  each: Each,
  { most = OBJECT_MOST.mapEntries, keys }: Partial<Pick<MapForm, "most" | "keys">> = {},
) =>
  Type.Unsafe<Readonly<Record<string, Type.Static<Each>>>>({
    type: "object",
    maxProperties: most,
    propertyNames:
      keys === undefined
        ? { type: "string", pattern: NAME_PATTERN, [EXPECTED]: NAME_EXPECTED }
        : {
            type: "string",
            maxLength: keys.most,
            pattern: keys.pattern,
            [EXPECTED]: keys.expected,
          },
    additionalProperties: each,
    description,
  });

/** Whole numbers by key. */
export const numberMap = (description: string) =>
  Type.Unsafe<Readonly<Record<string, number>>>({
    type: "object",
    additionalProperties: { type: "integer" },
    description,
  });

/** Labels are looked for with selectors, so keys and values must be what a selector can say. */
const LABEL_KEY =
  "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$";
const LABEL_VALUE = "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$";

export const labelMap = (description: string, most: number = OBJECT_MOST.labels) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    maxProperties: most,
    propertyNames: {
      type: "string",
      pattern: LABEL_KEY,
      maxLength: OBJECT_MOST.labelKeyBytes,
      [EXPECTED]: "a label key such as team or example.com/team",
    },
    additionalProperties: {
      type: "string",
      pattern: LABEL_VALUE,
      [EXPECTED]: "a label value of at most 63 letters, digits, '-', '_' and '.'",
    },
    description,
  });
