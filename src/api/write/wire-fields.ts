/**
 * The core's form of a spec on the wire, by the fields of its kind. Bounds are the authority's to
 * check.
 */
import { type TSchema, Type } from "typebox";
import {
  type AnyField,
  type Fields,
  mayLack,
  type Options,
} from "../../core/kinds/fields/field.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { count, exactly, list, longText, oneOf, text, textMap, word } from "../http/wire-shapes.ts";

export const wireAmounts = exactly({ cpuMillis: count, memoryMiB: count, deviceMillis: count });

export const wireFields = (fields: Fields): TSchema => exactly(propertiesOf(fields));

const propertiesOf = (fields: Fields): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const schema = wireValue(field);
      return [name, mayLack(field) ? Type.Optional(schema) : schema];
    }),
  );

function wireValue(field: AnyField): TSchema {
  switch (field.form) {
    case "text":
      return longText;
    case "name":
      return text;
    case "choice":
      return oneOf(field.byDefault === "" ? ["", ...field.words] : field.words);
    case "count":
      return field.least < 0 ? Type.Integer() : count;
    case "count-or-percentage":
      // Which texts are percentages is for the check to say.
      return Type.Union([count, text]);
    case "duration":
    case "share":
    case "part":
    case "by-choice":
      return count;
    case "flag":
      return Type.Boolean();
    case "amounts":
      return wireAmounts;
    case "object":
      return wireFields(field.fields);
    case "labels":
      return textMap;
    case "list":
      return list(wireValue(field.each));
    case "map":
      return Type.Unsafe({
        type: "object",
        maxProperties: OBJECT_MOST.mapEntries,
        additionalProperties: wireValue(field.each),
      });
    case "one-of":
      return wireOptions(field.options);
  }
}

const wireOptions = (options: Options): TSchema =>
  Type.Union(
    Object.entries(options).map(([kind, option]) =>
      exactly({
        kind: word(kind),
        ...(option.form === "object" ? propertiesOf(option.fields) : { value: wireValue(option) }),
      }),
    ),
  );
