/**
 * Reads the texts of a spec into the core's integers and collects every mistake on the way, so that
 * a person corrects all of them at once. A value that could not be read is 0: with a mistake noted,
 * it is not used.
 */
import type { Bounds } from "../../core/kinds/fields/field.ts";
import {
  DURATION_FORM,
  formatDuration,
  parseDuration,
  secondsMeant,
} from "../../quantity/duration.ts";
import {
  CPU_FORM,
  DEVICE_FORM,
  MEMORY_FORM,
  type QuantityFault,
  readCpu,
  readDevices,
  readMemory,
} from "../../quantity/quantity.ts";
import type { FieldMistake } from "../api-kind.ts";

/**
 * At most 2^40 milli-CPUs (a billion CPUs), thousandths of a device or MiB (an exbibyte) in one
 * object: thousands of such objects can be added up before a sum is no longer exact.
 */
const MOST = 2 ** 40;

interface QuantityKind {
  readonly form: string;
  readonly finest: string;
  readonly most: string;
  readonly read: (text: string) => number | QuantityFault;
}

const CPU: QuantityKind = {
  form: CPU_FORM,
  finest: "1m, a thousandth of a CPU",
  most: `${MOST}m`,
  read: readCpu,
};
const MEMORY: QuantityKind = {
  form: MEMORY_FORM,
  finest: "1Mi",
  most: `${MOST}Mi`,
  read: readMemory,
};
const DEVICES: QuantityKind = {
  form: DEVICE_FORM,
  finest: "1m, a thousandth of a device",
  most: `${MOST}m`,
  read: readDevices,
};

export class SpecReader {
  readonly mistakes: FieldMistake[] = [];

  mistake(field: string, message: string): void {
    this.mistakes.push({ field, message });
  }

  cpuMillis(field: string, value: string | number): number {
    return this.quantity(field, value, CPU);
  }

  memoryMiB(field: string, value: string | number): number {
    return this.quantity(field, value, MEMORY);
  }

  deviceMillis(field: string, value: string | number): number {
    return this.quantity(field, value, DEVICES);
  }

  durationMs(field: string, text: string, { least, most }: Bounds): number {
    const ms = parseDuration(text);
    if (ms !== undefined && ms >= least && ms <= most) return ms;
    const range = `from ${least === 0 ? "0s" : `${least}ms`} to ${formatDuration(most)}`;
    this.mistake(
      field,
      `found "${text}"; expected ${DURATION_FORM}, ${range}.${secondsMeant(text)}`,
    );
    return 0;
  }

  private quantity(field: string, value: string | number, kind: QuantityKind): number {
    const read = kind.read(String(value));
    if (typeof read === "number" && read <= MOST) return read;
    const fault = typeof read === "number" ? "too-large" : read;
    this.mistake(field, `found "${value}", ${FAULT_TEXT[fault](kind)}; expected ${kind.form}.`);
    return 0;
  }
}

const FAULT_TEXT: Readonly<Record<QuantityFault, (kind: QuantityKind) => string>> = {
  malformed: () => "which is not a quantity",
  negative: () => "which is negative",
  "too-fine": ({ finest }) => `which is not a multiple of ${finest}`,
  "too-large": ({ most }) => `which is more than ${most}`,
};
