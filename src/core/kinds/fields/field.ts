/**
 * The fields of a spec as plain data: shape, bounds, default and one line of meaning for each. The
 * API's schema, OpenAPI, `kubectl explain`, the reference, the readers of manifests and worlds and
 * the authority's own check derive from it. A shape has an entry for every field of the core's
 * spec, so a forgotten one does not compile.
 */
import type { Amounts } from "../../model/amounts.ts";
import type { Kind } from "../../model/ids.ts";
import type { Labels } from "../../model/objects.ts";
import type { Percentage } from "../../model/text/percentage.ts";

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** What one field holds, and how people write it. */
export type Form =
  /** In characters; without `most` it has the bound of every text (`OBJECT_LIMITS`). */
  | ({ readonly form: "text"; readonly least: number } & TextTerms)
  /**
   * The name of an object, or of something that is named like one. A world declares those of kind
   * `of`.
   */
  | { readonly form: "name"; readonly of?: Kind }
  | { readonly form: "choice"; readonly words: readonly string[] }
  | { readonly form: "count"; readonly least: number; readonly most: number }
  | { readonly form: "flag" }
  /** Milliseconds; `windowMs` is written as `window: 1h`. */
  | { readonly form: "duration"; readonly least: number; readonly most: number }
  /** A whole number, or a percentage of one that is known elsewhere: `2`, `25%`. */
  | { readonly form: "count-or-percentage"; readonly most: number }
  /** Thousandths of one device, more than none and at most all; written as `500m`. */
  | { readonly form: "share" }
  /** Millionths, more than none and less than all; written as `99.9%`. */
  | { readonly form: "part" }
  | AmountsForm
  | { readonly form: "object"; readonly fields: Fields; readonly unsupported?: Unsupported }
  /** Text by the key of a label, as selectors can say both. */
  | { readonly form: "labels"; readonly most?: number }
  | ListForm
  /** By names that people choose; a world declares those of kind `of`. */
  | MapForm
  /** The word in another field of the same object says which form it has. */
  | {
      readonly form: "by-choice";
      readonly on: string;
      readonly cases: Readonly<Record<string, AnyField>>;
      readonly otherwise: AnyField;
    }
  /**
   * One of several, `{ kind, … }` in the core: written as `kind: { … }`, or as `kind: value` if it
   * is no object.
   */
  | { readonly form: "one-of"; readonly options: Options };

/** Fields that a user may well expect in an object, each with the reason why it is refused. */
export type Unsupported = Readonly<Record<string, string>>;

export type Options = Readonly<Record<string, AnyField>>;

export interface TextTerms {
  readonly most?: number;
  /** A regular expression for the whole text, and what it asks for in words. */
  readonly pattern?: string;
  readonly expected?: string;
}

export interface MapForm {
  readonly form: "map";
  readonly each: AnyField;
  readonly most: number;
  readonly of?: Kind;
  /** What the keys are like; left out: names as objects have. */
  readonly keys?: Required<TextTerms>;
}

export interface AmountsForm {
  readonly form: "amounts";
  readonly cpu: string;
  readonly memory: string;
  /** Left out: people do not write them here, because they follow from other fields. */
  readonly devices?: string;
  /** Written among the fields around it, not under its own name. */
  readonly isInline?: true;
  /** Clients are shown that there are no devices. */
  readonly showsNoDevices?: true;
}

export interface ListForm {
  readonly form: "list";
  readonly each: AnyField;
  readonly least?: number;
  readonly most?: number;
  /**
   * "refused": an entry that is there twice is a mistake. "merged": the list is kept in order, each
   * entry once.
   */
  readonly repeated?: "refused" | "merged";
  /** Of objects: the list is kept in the order of this field, each of its values once. */
  readonly sortedBy?: string;
}

export type FieldValue = string | number | boolean;

/** A column of the table that `berth get` and `kubectl get` print. */
export interface FieldColumn {
  readonly name: string;
  readonly about: string;
  /** Only with -o wide. */
  readonly isWide?: true;
}

interface FieldTerms {
  readonly about: string;
  /** What holds for a field that is left out. */
  readonly byDefault?: FieldValue;
  /**
   * "kept": the core's spec leaves it out, too. "implied": and the same if it states the default.
   * "filled": it is stored with its default. "hidden": and not shown. "empty": it is stored without
   * entries, and shown only with some.
   */
  readonly leftOut?: "kept" | "implied" | "filled" | "hidden" | "empty";
  readonly column?: FieldColumn;
  /** The name under which people write it; left out: its own, without the unit. */
  readonly as?: string;
}

export type AnyField = Form & FieldTerms;
export type Fields = Readonly<Record<string, AnyField>>;

declare const value: unique symbol;
/** A field that holds a `T`; the type is all that is kept of it. */
export type Field<T> = AnyField & { readonly [value]?: T };
type KeptField<T> = Field<T> & { readonly leftOut: "kept" | "implied" };
export type NeededField<T> = Field<T> & { readonly leftOut?: "filled" | "hidden" | "empty" };

/** A field for each of `Spec`, kept out where the core's spec may go without. */
export type FieldsOf<Spec> = {
  readonly [F in keyof Spec]-?: Partial<Pick<Spec, F>> extends Pick<Spec, F>
    ? KeptField<Exclude<Spec[F], undefined>>
    : NeededField<Spec[F]>;
};

export const optional = <T>(field: Field<T>): KeptField<T> => ({ ...field, leftOut: "kept" });
/** A user may leave it out, and the default is stored. */
export const filled = <T extends FieldValue>(field: Field<T>, byDefault: T): NeededField<T> => ({
  ...field,
  byDefault,
  leftOut: "filled",
});
/** As `filled`; the default means nothing to people, and they do not see it. */
export const hidden = <T extends FieldValue>(field: Field<T>, byDefault: T): NeededField<T> => ({
  ...field,
  byDefault,
  leftOut: "hidden",
});
/** A user may leave it out, and so does the core, which then goes by the default. */
export const usually = <T extends FieldValue>(field: Field<T>, byDefault: T): KeptField<T> => ({
  ...field,
  byDefault,
  leftOut: "kept",
});
/** As `usually`; the core's spec also leaves it out when somebody writes the default. */
export const implied = <T extends FieldValue>(field: Field<T>, byDefault: T): KeptField<T> => ({
  ...field,
  byDefault,
  leftOut: "implied",
});
/** A list, a map or an object of fields that may all be left out. */
export const orEmpty = <T extends object>(field: Field<T>): NeededField<T> => ({
  ...field,
  leftOut: "empty",
});
export const shown = <F extends AnyField>(field: F, column: FieldColumn): F => ({
  ...field,
  column,
});

export const text = (about: string): NeededField<string> => ({ about, form: "text", least: 0 });
/** A text that must not be empty. */
export const word = (about: string, most?: number): NeededField<string> => ({
  about,
  form: "text",
  least: 1,
  ...(most === undefined ? {} : { most }),
});
/** A text of a certain form. */
export const patterned = (about: string, terms: TextTerms): NeededField<string> => ({
  about,
  form: "text",
  least: 0,
  ...terms,
});
export const name = (about: string, of?: Kind): NeededField<string> => ({
  about,
  form: "name",
  ...(of === undefined ? {} : { of }),
});
export const choice = <const W extends string>(
  about: string,
  words: readonly W[],
): NeededField<W> => ({ about, form: "choice", words });
export const count = (about: string, { least, most }: Bounds): NeededField<number> => ({
  about,
  form: "count",
  least,
  most,
});
export const flag = (about: string): NeededField<boolean> => ({ about, form: "flag" });
export const duration = (about: string, { least, most }: Bounds): NeededField<number> => ({
  about,
  form: "duration",
  least,
  most,
});
export const countOrPercentage = (
  about: string,
  most: number,
): NeededField<number | Percentage> => ({ about, form: "count-or-percentage", most });
export const share = (about: string): NeededField<number> => ({ about, form: "share" });
export const part = (about: string): NeededField<number> => ({ about, form: "part" });
export const amounts = (
  about: string,
  terms: Omit<AmountsForm, "form">,
): NeededField<Amounts> & AmountsForm => ({ about, form: "amounts", ...terms });
export const object = <Spec>(
  about: string,
  fields: FieldsOf<Spec>,
  unsupported?: Unsupported,
): NeededField<Spec> => ({
  about,
  form: "object",
  fields: fields,
  ...(unsupported === undefined ? {} : { unsupported }),
});
export const labels = (about: string, most?: number): NeededField<Labels> => ({
  about,
  form: "labels",
  ...(most === undefined ? {} : { most }),
});
export const list = <T>(
  about: string,
  each: Field<T>,
  terms: Omit<ListForm, "form" | "each">,
): NeededField<readonly T[]> => ({ about, form: "list", each, ...terms });
export const map = <T>(
  about: string,
  each: Field<T>,
  terms: Omit<MapForm, "form" | "each">,
): NeededField<Readonly<Record<string, T>>> => ({ about, form: "map", each, ...terms });
export const byChoice = <T>(
  about: string,
  on: string,
  cases: Readonly<Record<string, Field<T>>>,
  otherwise: Field<T>,
): NeededField<T> => ({ about, form: "by-choice", on, cases, otherwise });
export const oneOf = <T extends { readonly kind: string }>(
  about: string,
  options: Readonly<Record<T["kind"], AnyField>>,
): NeededField<T> => ({ about, form: "one-of", options });

/** The name under which people write a field of the core. */
export const writtenName = (field: string, { form, as }: AnyField): string =>
  as ?? (form === "duration" && field.endsWith("Ms") ? field.slice(0, -2) : field);

/** The form that a field has beside the others of its object. */
export function settledForm(field: AnyField, others: Readonly<Record<string, unknown>>): AnyField {
  if (field.form !== "by-choice") return field;
  return field.cases[String(others[field.on])] ?? field.otherwise;
}

export const isNeeded = ({ leftOut }: AnyField): boolean => leftOut === undefined;
/** Whether the core's spec may go without it. */
export const mayLack = ({ leftOut }: AnyField): boolean =>
  leftOut === "kept" || leftOut === "implied";

/** A path of the core's spec as people write it: `health.suspectAfter` without the unit. */
export function writtenPath(fields: Fields, path: string): string {
  const [step = "", ...rest] = path.split(".");
  const key = step.replace(/\[.*/, "");
  const field = fields[key];
  if (field === undefined) return path;
  const written = writtenName(key, field) + step.slice(key.length);
  const below = field.form === "list" ? field.each : field;
  if (rest.length === 0) return written;
  const under = below.form === "object" ? below.fields : {};
  return `${written}.${writtenPath(under, rest.join("."))}`;
}
