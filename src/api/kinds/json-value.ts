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

export class JsonValue implements WrittenValue, WrittenFields {
  private readonly value: unknown;
  private readonly step: string;
  private readonly reader: SpecReader;
  private readonly above: JsonValue | undefined;

  constructor(value: unknown, step: string, reader: SpecReader, above?: JsonValue) {
    this.value = value;
    this.step = step;
    this.reader = reader;
    this.above = above;
  }

  /** Only a mistake needs it. */
  private get path(): string {
    return this.above === undefined ? this.step : this.above.path + this.step;
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
    return list.map((entry, at) => read(this.at(entry, `[${at}]`)));
  }

  map<T>(read: (entry: WrittenValue) => T): Readonly<Record<string, T>> {
    const entries = Object.entries(this.value as object).map(
      ([key, entry]) => [key, read(this.at(entry, `.${key}`))] as const,
    );
    return Object.fromEntries(entries);
  }

  fields(): WrittenFields {
    return this;
  }

  find(name: string): WrittenValue | undefined {
    const value = this.values[name];
    return value === undefined ? undefined : this.at(value, `.${name}`);
  }

  need(name: string): WrittenValue {
    return this.at(this.values[name], `.${name}`);
  }

  private get values(): Readonly<Record<string, unknown>> {
    return (this.value ?? {}) as Readonly<Record<string, unknown>>;
  }

  fail(message: string): void {
    this.reader.mistake(this.path, message);
  }

  private at(value: unknown, step: string): JsonValue {
    return new JsonValue(value, step, this.reader, this);
  }
}
