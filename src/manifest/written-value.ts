/**
 * A value as a person wrote it, in a manifest or in a world. A reader that meets a mistake notes it
 * at its place and goes on with a stand-in, so that a person corrects all mistakes at once.
 */
import type { Bounds } from "../core/kinds/fields/field.ts";
import type { Kind } from "../core/model/ids.ts";
import type { Percentage } from "../core/model/text/percentage.ts";

export interface WrittenValue {
  text(): string;
  /** The name of an object; of one that a world declares when it has a kind. */
  name(of: Kind | undefined): string;
  choice(words: readonly string[]): string;
  count(bounds: Bounds): number;
  flag(): boolean;
  durationMs(bounds: Bounds): number;
  part(): number;
  countOrPercentage(most: number): number | Percentage;
  shareMillis(): number;
  cpuMillis(): number;
  memoryMiB(): number;
  deviceMillis(): number;
  list<T>(read: (entry: WrittenValue) => T): readonly T[];
  map<T>(read: (entry: WrittenValue) => T, of: Kind | undefined): Readonly<Record<string, T>>;
  /** The fields of an object that has these and no others. */
  fields(known: readonly string[]): WrittenFields;
  /** Notes a mistake here. */
  fail(message: string): void;
}

export interface WrittenFields {
  /** A file is read back as it was written, so a default that it states is kept. */
  readonly keepsDefaults?: true;
  find(name: string): WrittenValue | undefined;
  /** Notes a mistake when it is missing. */
  need(name: string): WrittenValue;
}
