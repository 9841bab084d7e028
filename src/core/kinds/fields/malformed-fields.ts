/** What is wrong with the core's form of a spec, by the shape of its fields (OB5). */
import type { Amounts } from "../../model/amounts.ts";
import { WHOLE } from "../../model/slo.ts";
import { isPercentage } from "../../model/text/percentage.ts";
import { WHOLE_DEVICE_MILLIS } from "../../rules/feasibility/devices.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type Bad, malformedAmounts } from "../well-formed/malformed-amounts.ts";
import {
  type AnyField,
  type Bounds,
  type Fields,
  type ListForm,
  mayLack,
  type Options,
  settledForm,
  type TextTerms,
} from "./field.ts";
import { planOf } from "./field-plan.ts";

/** Names become parts of keys and of operation ids, which are joined with slashes. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

type Values = Readonly<Record<string, unknown>>;

export function malformedFields(
  fields: Fields,
  spec: Values,
  path: string,
  bad: Bad,
): Rejection | undefined {
  for (const { name, field } of planOf(fields)) {
    const value = spec[name];
    if (value === undefined && mayLack(field)) continue;
    // An optional name is stored as the empty text, which people could not write.
    if (value !== undefined && value === field.byDefault) continue;
    const wrong = malformedValue(settledForm(field, spec), value, `${path}.${name}`, bad);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function malformedValue(
  field: AnyField,
  value: unknown,
  path: string,
  bad: Bad,
): Rejection | undefined {
  switch (field.form) {
    case "text":
      return malformedText(field, value, path, bad);
    case "name":
      return typeof value === "string" && NAME.test(value)
        ? undefined
        : bad(path, "a name", found(value));
    case "choice":
      return field.words.includes(value as string)
        ? undefined
        : bad(path, field.words.join(" or "), found(value));
    case "count":
    case "duration":
      return malformedNumber(field, value, path, bad);
    case "share":
      return malformedNumber({ least: 1, most: WHOLE_DEVICE_MILLIS }, value, path, bad);
    case "count-or-percentage":
      return isPercentage(value)
        ? undefined
        : typeof value === "number"
          ? malformedNumber({ least: 0, most: field.most }, value, path, bad)
          : bad(path, "a whole number, 0 or more, or a percentage", found(value));
    case "part":
      return malformedNumber({ least: 1, most: WHOLE - 1 }, value, path, bad);
    case "flag":
      return typeof value === "boolean" ? undefined : bad(path, "true or false", found(value));
    case "amounts":
      return malformedAmounts(value as Amounts, path, bad);
    case "object":
      return malformedFields(field.fields, value as Values, path, bad);
    case "list":
      return malformedList(field, value as readonly unknown[], path, bad);
    case "labels":
      return malformedLabels(value as Values, path, bad);
    case "map":
      return malformedMap(field, value as Values, path, bad);
    case "one-of":
      return malformedOption(field.options, value as Values, path, bad);
    case "by-choice":
      return undefined;
  }
}

const found = (value: unknown): string | number =>
  typeof value === "number" ? value : value === "" ? "(none)" : String(value);

function malformedText(
  { least, most, pattern, expected }: { readonly least: number } & TextTerms,
  value: unknown,
  path: string,
  bad: Bad,
): Rejection | undefined {
  if (typeof value !== "string") return bad(path, "text", found(value));
  if (least > 0 && value.trim() === "") return bad(path, "text that is not empty", "(none)");
  if (most !== undefined && value.length > most) {
    return bad(path, `${least} to ${most} characters`, value.length);
  }
  return pattern === undefined || new RegExp(pattern).test(value)
    ? undefined
    : bad(path, expected ?? pattern, found(value));
}

function malformedNumber({ least, most }: Bounds, value: unknown, path: string, bad: Bad) {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
    ? undefined
    : bad(path, `a whole number from ${least} to ${most}`, found(value));
}

function malformedList(
  { each, least = 0, most = Number.MAX_SAFE_INTEGER, repeated, sortedBy }: ListForm,
  list: readonly unknown[],
  path: string,
  bad: Bad,
): Rejection | undefined {
  if (list.length < least || list.length > most) {
    return bad(path, `${least} to ${most} entries, or left out`, list.length);
  }
  const textOf = (entry: unknown): string =>
    String(sortedBy === undefined ? entry : (entry as Values)[sortedBy]);
  for (const [at, entry] of list.entries()) {
    const here = each.form === "object" ? `${path}[${at}]` : path;
    const wrong = malformedValue(each, entry, here, bad);
    if (wrong !== undefined) return wrong;
    // In their order and each once: of two lists that mean the same there is one way to write them.
    const isOrdered = at === 0 || textOf(list[at - 1]) < textOf(entry);
    if ((repeated === "merged" || sortedBy !== undefined) && !isOrdered) {
      return bad(
        path,
        sortedBy === undefined
          ? "each once, in their order"
          : `each ${sortedBy} once, in their order`,
        textOf(entry),
      );
    }
    if (repeated === "refused" && list.indexOf(entry) < at) {
      return bad(path, "each once", String(entry));
    }
  }
  return undefined;
}

function malformedLabels(values: Values, path: string, bad: Bad): Rejection | undefined {
  const odd = Object.entries(values).find(([, value]) => typeof value !== "string");
  return odd && bad(`${path}.${odd[0]}`, "text", found(odd[1]));
}

function malformedMap(
  { each, most }: { readonly each: AnyField; readonly most: number },
  map: Values,
  path: string,
  bad: Bad,
): Rejection | undefined {
  const names = Object.keys(map).toSorted();
  if (names.length > most) return bad(path, `at most ${most}`, names.length);
  for (const name of names) {
    const wrong = malformedValue(each, map[name], `${path}.${name}`, bad);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function malformedOption(
  options: Options,
  { kind, ...rest }: Values,
  path: string,
  bad: Bad,
): Rejection | undefined {
  const option = Object.hasOwn(options, String(kind)) ? options[String(kind)] : undefined;
  if (option === undefined) {
    return bad(`${path}.kind`, Object.keys(options).join(" or "), found(kind));
  }
  const fields = option.form === "object" ? option.fields : { value: option };
  const stray = Object.keys(rest).find((name) => !Object.hasOwn(fields, name));
  return stray === undefined
    ? malformedFields(fields, rest, path, bad)
    : bad(`${path}.${stray}`, "none", found(rest[stray]));
}
