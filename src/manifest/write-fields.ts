/** Writes the core's form of a spec as a person would, by the fields of its kind. */
import {
  type AmountsForm,
  type AnyField,
  type Fields,
  type Options,
  settledForm,
} from "../core/kinds/fields/field.ts";
import { planOf } from "../core/kinds/fields/field-plan.ts";
import type { Amounts } from "../core/model/amounts.ts";
import { formatDuration } from "../quantity/duration.ts";
import { formatPart } from "../quantity/part.ts";
import { formatCpu, formatDevices, formatMemory } from "../quantity/quantity.ts";

/** The plain values of JSON and YAML. */
export type Plain =
  | string
  | number
  | boolean
  | readonly Plain[]
  | { readonly [field: string]: Plain };
export type PlainFields = Record<string, Plain>;

/**
 * "manifest": as clients of the API read it, CPUs and memory always as text. "world": as short as
 * people write.
 */
export type Style = "manifest" | "world";

type Spec = Readonly<Record<string, unknown>>;

export function writeFields(fields: Fields, spec: object, style: Style): PlainFields {
  const values = spec as Spec;
  const plain: PlainFields = {};
  for (const { name, field: given, written: as } of planOf(fields)) {
    const value = values[name];
    if (value === undefined || isUnsaid(given, value, style)) continue;
    const field = settledForm(given, values);
    if (field.form === "amounts" && field.isInline === true) {
      Object.assign(plain, writeAmounts(field, value as Amounts, style));
      continue;
    }
    const written = writeValue(field, value, style);
    const isEmpty = given.leftOut === "empty" && Object.keys(written).length === 0;
    if (!isEmpty) plain[as] = written;
  }
  return plain;
}

/** What a field holds that was left out, where people are not shown it. */
const isUnsaid = ({ leftOut, byDefault }: AnyField, value: unknown, style: Style): boolean =>
  value === byDefault && (leftOut === "hidden" || (leftOut === "implied" && style === "manifest"));

export function writeValue(field: AnyField, value: unknown, style: Style): Plain {
  switch (field.form) {
    case "duration":
      return formatDuration(value as number);
    case "share":
      return formatDevices(value as number);
    case "part":
      return formatPart(value as number);
    case "amounts":
      return writeAmounts(field, value as Amounts, style);
    case "object":
      return writeFields(field.fields, value as Spec, style);
    case "list":
      return (value as readonly unknown[]).map((entry) => writeValue(field.each, entry, style));
    case "map":
      return Object.fromEntries(
        Object.entries(value as Spec).map(([key, entry]) => [
          key,
          writeValue(field.each, entry, style),
        ]),
      );
    case "one-of":
      return writeOption(field.options, value as Spec, style);
    case "text":
    case "name":
    case "choice":
    case "count":
    case "flag":
    case "count-or-percentage":
    case "labels":
    case "by-choice":
      return value as Plain;
  }
}

function writeAmounts(
  { devices, showsNoDevices }: AmountsForm,
  { cpuMillis, memoryMiB, deviceMillis }: Amounts,
  style: Style,
): PlainFields {
  const [cpu, memory] = [formatCpu(cpuMillis), formatMemory(memoryMiB)];
  const isShown =
    devices !== undefined &&
    (deviceMillis !== 0 || (style === "manifest" && showsNoDevices === true));
  return {
    cpu: style === "manifest" ? String(cpu) : cpu,
    memory: style === "manifest" ? String(memory) : memory,
    ...(isShown ? { devices: formatDevices(deviceMillis) } : {}),
  };
}

function writeOption(options: Options, { kind, ...rest }: Spec, style: Style): PlainFields {
  const option = options[String(kind)];
  if (option === undefined) return {};
  const value = option.form === "object" ? rest : rest["value"];
  return { [String(kind)]: writeValue(option, value, style) };
}
