/** Reads the core's form of a spec from what a person wrote, by the fields of its kind. */
import {
  type AmountsForm,
  type AnyField,
  type Fields,
  isNeeded,
  type ListForm,
  mayLack,
  type Options,
  settledForm,
} from "../core/kinds/fields/field.ts";
import { planOf } from "../core/kinds/fields/field-plan.ts";
import type { Amounts } from "../core/model/amounts.ts";
import type { WrittenFields, WrittenValue } from "./written-value.ts";

type Spec = Readonly<Record<string, unknown>>;

const amountNames = ({ devices }: AmountsForm): readonly string[] =>
  devices === undefined ? ["cpu", "memory"] : ["cpu", "memory", "devices"];

/** What people may write for these fields. */
export function writtenNames(fields: Fields): readonly string[] {
  const known = namesOf.get(fields);
  if (known !== undefined) return known;
  const names = planOf(fields).flatMap(({ field, written }) =>
    isInline(field) ? amountNames(field) : [written],
  );
  namesOf.set(fields, names);
  return names;
}

const namesOf = new WeakMap<Fields, readonly string[]>();

/** Callers know of which kind the fields are, and so which type the spec has. */
export function readFields(fields: Fields, written: WrittenFields): Spec {
  const spec: Record<string, unknown> = {};
  for (const { name, field: given, written: as } of planOf(fields)) {
    const field = settledForm(given, spec);
    if (isInline(field)) {
      spec[name] = readAmounts(field, written);
      continue;
    }
    const value = written.find(as);
    if (value !== undefined) {
      const read = readValue(field, value);
      const isImplied = given.leftOut === "implied" && read === given.byDefault;
      if (!isImplied || written.keepsDefaults === true) spec[name] = read;
    } else if (isNeeded(given)) {
      spec[name] = readValue(field, written.need(as));
    } else if (given.leftOut === "empty") spec[name] = emptyOf(given);
    else if (!mayLack(given)) spec[name] = given.byDefault;
  }
  return spec;
}

const NOTHING: WrittenFields = {
  find: () => undefined,
  need: (name) => {
    throw new Error(`${name} cannot be left out.`);
  },
};

function emptyOf(field: AnyField): unknown {
  if (field.form === "list") return [];
  return field.form === "object" ? readFields(field.fields, NOTHING) : {};
}

const isInline = (field: AnyField): field is AnyField & AmountsForm =>
  field.form === "amounts" && field.isInline === true;

function readValue(field: AnyField, value: WrittenValue): unknown {
  switch (field.form) {
    case "text":
      return value.text();
    case "name":
      return value.name(field.of);
    case "choice":
      return value.choice(field.words);
    case "count":
      return value.count(field);
    case "flag":
      return value.flag();
    case "duration":
      return value.durationMs(field);
    case "count-or-percentage":
      return value.countOrPercentage(field.most);
    case "share":
      return value.shareMillis();
    case "part":
      return value.part();
    case "amounts":
      return readAmounts(field, value.fields(amountNames(field)));
    case "object":
      return readFields(field.fields, value.fields(writtenNames(field.fields)));
    case "list":
      return readList(field, value);
    case "labels":
      return value.map((entry) => entry.text(), undefined);
    case "map":
      return value.map((entry) => readValue(field.each, entry), field.of);
    case "one-of":
      return readOption(field.options, value);
    case "by-choice":
      return readValue(field.otherwise, value);
  }
}

const readAmounts = ({ devices }: AmountsForm, written: WrittenFields): Amounts => ({
  cpuMillis: written.need("cpu").cpuMillis(),
  memoryMiB: written.need("memory").memoryMiB(),
  deviceMillis: devices === undefined ? 0 : (written.find("devices")?.deviceMillis() ?? 0),
});

function readList({ each, repeated, sortedBy }: ListForm, value: WrittenValue): readonly unknown[] {
  const list = value.list((entry) => readValue(each, entry));
  if (sortedBy !== undefined) return sortedEntries(list as readonly Spec[], sortedBy);
  return repeated === "merged" ? [...new Set(list as readonly string[])].toSorted() : list;
}

const sortedEntries = (list: readonly Spec[], by: string): readonly Spec[] =>
  list.toSorted((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1));

function readOption(options: Options, value: WrittenValue): Spec {
  const names = Object.keys(options);
  const written = value.fields(names);
  const given = Object.entries(options).flatMap(([kind, option]) => {
    const at = written.find(kind);
    return at === undefined ? [] : [{ kind, ...readOptionFields(option, at) }];
  });
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) return first;
  const found = first === undefined ? "none" : given.map(({ kind }) => kind).join(" and ");
  value.fail(`found ${found}; expected one of ${inWords(names)}.`);
  return first ?? { kind: names[0] };
}

const readOptionFields = (option: AnyField, value: WrittenValue): Spec =>
  option.form === "object"
    ? readFields(option.fields, value.fields(writtenNames(option.fields)))
    : { value: readValue(option, value) };

const inWords = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
