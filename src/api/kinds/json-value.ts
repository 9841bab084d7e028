/**
 * A value of a manifest as JSON that matches its schema: only the meaning of its texts remains to
 * be read.
 */
import type { Bounds } from "../../core/kinds/fields/field.ts";
import type { Percentage } from "../../core/model/text/percentage.ts";
import { WHOLE_DEVICE_MILLIS } from "../../core/rules/feasibility/devices.ts";
import type { WrittenFields, WrittenValue } from "../../manifest/written-value.ts";
import { parsePart, PART_FORM } from "../../quantity/part.ts";
import type { SpecReader } from "./spec-reader.ts";

export class JsonValue implements WrittenValue {
  private readonly value: unknown;
  private readonly path: string;
  private readonly reader: SpecReader;

  constructor(value: unknown, path: string, reader: SpecReader) {
    this.value = value;
    this.path = path;
    this.reader = reader;
  }

  text(): string {
    return this.value as string;
  }

  name(): string {
    return this.value as string;
  }

  choice(): string {
    return this.value as string;
  }

  count(): number {
    return this.value as number;
  }

  flag(): boolean {
    return this.value as boolean;
  }

  durationMs(bounds: Bounds): number {
    return this.reader.durationMs(this.path, this.value as string, bounds);
  }

  part(): number {
    const millionths = parsePart(this.value as string);
    if (millionths !== undefined) return millionths;
    this.fail(`found "${String(this.value)}"; expected ${PART_FORM}.`);
    return 0;
  }

  countOrPercentage(): number | Percentage {
    return this.value as number | Percentage;
  }

  shareMillis(): number {
    const millis = this.deviceMillis();
    if (millis < 1 || millis > WHOLE_DEVICE_MILLIS) {
      this.fail(`found "${String(this.value)}"; expected more than 0 and at most 1.`);
    }
    return millis;
  }

  cpuMillis(): number {
    return this.reader.cpuMillis(this.path, this.value as string | number);
  }

  memoryMiB(): number {
    return this.reader.memoryMiB(this.path, this.value as string | number);
  }

  deviceMillis(): number {
    return this.reader.deviceMillis(this.path, this.value as string | number);
  }

  list<T>(read: (entry: WrittenValue) => T): readonly T[] {
    const list = this.value as readonly unknown[];
    return list.map((entry, at) => read(this.at(entry, `${this.path}[${at}]`)));
  }

  map<T>(read: (entry: WrittenValue) => T): Readonly<Record<string, T>> {
    const entries = Object.entries(this.value as object).map(
      ([key, entry]) => [key, read(this.at(entry, `${this.path}.${key}`))] as const,
    );
    return Object.fromEntries(entries);
  }

  fields(): WrittenFields {
    const values = (this.value ?? {}) as Readonly<Record<string, unknown>>;
    const under = this.path === "" ? "" : `${this.path}.`;
    const need = (name: string): WrittenValue => this.at(values[name], `${under}${name}`);
    return { need, find: (name) => (values[name] === undefined ? undefined : need(name)) };
  }

  fail(message: string): void {
    this.reader.mistake(this.path, message);
  }

  private at(value: unknown, path: string): JsonValue {
    return new JsonValue(value, path, this.reader);
  }
}
