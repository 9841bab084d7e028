/**
 * A place in a world's file, read by the fields of a kind as a manifest is. Names of what a world
 * declares are checked.
 */
import {
  type AnyField,
  type Bounds,
  type Fields as KindFields,
  writtenPath,
} from "../core/kinds/fields/field.ts";
import { fieldsOf, writtenFormOfKind } from "../core/kinds/kind-definitions.ts";
import { brokenRules } from "../core/kinds/written-form.ts";
import { assert } from "../core/model/assert.ts";
import type { Kind } from "../core/model/ids.ts";
import { isPercentage, type Percentage } from "../core/model/text/percentage.ts";
import { WHOLE_DEVICE_MILLIS } from "../core/rules/feasibility/devices.ts";
import type { WrittenKind } from "../core/protocol/command.ts";
import { readFields } from "../manifest/read-fields.ts";
import type { WrittenFields, WrittenValue } from "../manifest/written-value.ts";
import { formatDuration } from "../quantity/duration.ts";
import { parsePart, PART_FORM } from "../quantity/part.ts";
import { readCpuMillis, readDeviceMillis, readMemoryMiB } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { type Named, readName, type References } from "./references.ts";

/** Those kinds whose objects a world declares by their names alone. */
const DECLARED: Readonly<Partial<Record<Kind, Named>>> = { Region: "region" };

class WrittenCursor implements WrittenValue {
  private readonly cursor: Cursor;
  private readonly references: References;

  constructor(cursor: Cursor, references: References) {
    this.cursor = cursor;
    this.references = references;
  }

  text(): string {
    return this.cursor.text();
  }

  name(of: Kind | undefined): string {
    const name = readName(this.cursor);
    this.refer(of, name, this.cursor);
    return name;
  }

  choice(words: readonly string[]): string {
    return this.cursor.choice(words);
  }

  count({ least, most }: Bounds): number {
    const count = this.cursor.integer(least);
    if (count > most) this.cursor.expected(`a whole number of at most ${most}`);
    return count;
  }

  flag(): boolean {
    return this.cursor.boolean();
  }

  durationMs({ least, most }: Bounds): number {
    const ms = this.cursor.durationMs(least);
    if (ms > most) this.cursor.expected(`a duration of up to ${formatDuration(most)}`);
    return ms;
  }

  part(): number {
    return this.cursor.parsed(PART_FORM, parsePart);
  }

  countOrPercentage(most: number): number | Percentage {
    const said = this.cursor.scalar();
    if (isPercentage(said)) return said;
    if (typeof said !== "string") return this.count({ least: 0, most });
    this.cursor.expected("a whole number or a percentage such as 25%");
    return 1;
  }

  shareMillis(): number {
    const millis = this.deviceMillis();
    if (millis < 1 || millis > WHOLE_DEVICE_MILLIS) {
      this.cursor.expected("a part of one device, such as 500m");
    }
    return millis;
  }

  cpuMillis(): number {
    return readCpuMillis(this.cursor);
  }

  memoryMiB(): number {
    return readMemoryMiB(this.cursor);
  }

  deviceMillis(): number {
    return readDeviceMillis(this.cursor);
  }

  list<T>(read: (entry: WrittenValue) => T): readonly T[] {
    return this.cursor.list((entry) => read(new WrittenCursor(entry, this.references)));
  }

  map<T>(read: (entry: WrittenValue) => T, of: Kind | undefined): Readonly<Record<string, T>> {
    const entries = [...this.cursor.entries()].map(([name, { key, value }]) => {
      this.refer(of, name, key);
      return [name, read(new WrittenCursor(value, this.references))] as const;
    });
    return Object.fromEntries(entries);
  }

  fields(known: readonly string[]): WrittenFields {
    return writtenFields(this.cursor.fields(known), this.references);
  }

  fail(message: string): void {
    this.cursor.fail(message);
  }

  private refer(of: Kind | undefined, name: string, at: Cursor): void {
    const declared = of === undefined ? undefined : DECLARED[of];
    if (declared !== undefined) this.references.refer(declared, name, at);
  }
}

/** An object whose fields a world calls otherwise, by the core's names of them. */
export function calling(
  field: AnyField | undefined,
  names: Readonly<Record<string, string>>,
): AnyField {
  assert(field?.form === "object", "Only an object has fields to call otherwise.");
  const called = Object.entries(field.fields).map(([name, each]) => {
    const as = names[name];
    return [name, as === undefined ? each : { ...each, as }] as const;
  });
  return { ...field, fields: Object.fromEntries(called) };
}

/** The fields of a kind among others that only worlds have. */
export const writtenFields = (fields: Fields, references: References): WrittenFields => ({
  keepsDefaults: true,
  need: (name) => new WrittenCursor(fields.need(name), references),
  find: (name) => (fields.has(name) ? new WrittenCursor(fields.need(name), references) : undefined),
});

/** How a world writes a kind, where that differs from a manifest. */
export interface WorldForm {
  readonly fields: KindFields;
  /** A manifest's form of what was read; left out: it is the same. */
  readonly toManifest?: (read: Readonly<Record<string, unknown>>) => object;
  /** The path of a world for the path of a manifest. */
  readonly placeOf?: (path: string) => string;
}

/** Reads the spec of a kind, and notes what does not go together in it. */
export function readSpec(
  kind: WrittenKind,
  fields: Fields,
  references: References,
  form: WorldForm = { fields: fieldsOf(kind) },
): object {
  const { rules, read } = writtenFormOfKind(kind);
  const { toManifest = (same) => same, placeOf = (path) => path } = form;
  const written = toManifest(readFields(form.fields, writtenFields(fields, references)));
  for (const { field, found, expected, ...said } of brokenRules(rules, written)) {
    const message = said.message ?? `found ${JSON.stringify(found)}, expected ${expected}.`;
    fields.place(writtenPath(form.fields, placeOf(field))).fail(message);
  }
  return read(written);
}
