/** The schema of a spec, by the fields of its kind. */
import { type TSchema, Type } from "typebox";
import {
  type AmountsForm,
  type AnyField,
  type Fields,
  isNeeded,
  type Options,
  type TextTerms,
  type Unsupported,
  writtenName,
} from "../../core/kinds/fields/field.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { formatDuration } from "../../quantity/duration.ts";
import {
  choice,
  countOrPart,
  duration,
  EXPECTED,
  fields,
  flag,
  labelMap,
  mapOf,
  name,
  quantity,
  text,
  wholeNumber,
  word,
} from "./shapes.ts";

type Properties = Record<string, TSchema>;

export const fieldsSchema = (about: string, of: Fields, unsupported?: Unsupported): TSchema =>
  fields(about, propertiesOf(of), unsupported);

export function propertiesOf(of: Fields): Properties {
  const properties: Properties = {};
  for (const [key, field] of Object.entries(of)) {
    if (field.form === "amounts" && field.isInline === true) {
      Object.assign(properties, amountsProperties(field));
    } else {
      const schema = schemaOf(field);
      properties[writtenName(key, field)] = isNeeded(field) ? schema : Type.Optional(schema);
    }
  }
  return properties;
}

const amountsProperties = ({ cpu, memory, devices }: AmountsForm): Properties => ({
  cpu: quantity(cpu),
  memory: quantity(memory),
  ...(devices === undefined ? {} : { devices: Type.Optional(quantity(devices)) }),
});

function schemaOf(field: AnyField): TSchema {
  const { about } = field;
  // An empty text is how the core stores that there is none: people leave the field out.
  const given = field.byDefault === "" ? undefined : field.byDefault;
  switch (field.form) {
    case "text":
      return textSchema(field, about, given as string | undefined);
    case "name":
      return name(about);
    case "choice":
      return choice(about, field.words, given as string | undefined);
    case "count":
      return wholeNumber(about, {
        from: field.least,
        to: field.most,
        ...(given === undefined ? {} : { byDefault: given as number }),
      });
    case "flag":
      return flag(about, given === true);
    case "duration":
      return duration(
        about,
        field,
        given === undefined ? undefined : formatDuration(given as number),
      );
    case "count-or-percentage":
      return countOrPart(about, { to: field.most, byDefault: given as number });
    case "share":
      return quantity(about);
    case "part":
    case "by-choice":
      return text(about);
    case "amounts":
      return fields(about, amountsProperties(field));
    case "object":
      return fieldsSchema(about, field.fields, field.unsupported);
    case "labels":
      return labelMap(about, field.most);
    case "list":
      return Type.Array(schemaOf(field.each), {
        description: about,
        ...(field.repeated === "refused" ? { uniqueItems: true } : {}),
        ...(field.least === undefined ? {} : { minItems: field.least }),
        ...(field.most === undefined ? {} : { maxItems: field.most }),
      });
    case "map":
      return mapOf(about, schemaOf(field.each), field);
    case "one-of":
      return fields(about, optionsProperties(field.options));
  }
}

function textSchema(
  { least, most, pattern, expected }: { readonly least: number } & TextTerms,
  about: string,
  given: string | undefined,
): TSchema {
  if (pattern === undefined) return least === 0 ? text(about) : word(about, most);
  return Type.String({
    description: about,
    pattern,
    maxLength: most ?? OBJECT_MOST.textBytes,
    [EXPECTED]: expected,
    ...(given === undefined ? {} : { default: given }),
  });
}

const optionsProperties = (options: Options): Properties =>
  Object.fromEntries(
    Object.entries(options).map(([kind, option]) => [kind, Type.Optional(schemaOf(option))]),
  );
