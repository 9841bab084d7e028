/**
 * Amounts and exclusive devices as they stand in a file: `{ cpu: 500m, memory: 256Mi, devices: …
 * }`.
 */
import type { Amounts } from "../core/model/amounts.ts";
import type { Labels } from "../core/model/objects.ts";
import type { PlainFields, Plain } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import {
  CPU_FORM,
  DEVICE_FORM,
  formatCpu,
  formatMemory,
  MEMORY_FORM,
  parseCpu,
  parseDevices,
  parseMemory,
} from "../quantity/quantity.ts";

type CpuAndMemory = Pick<Amounts, "cpuMillis" | "memoryMiB">;

export function readCpuMillis(cursor: Cursor): number {
  return cursor.parsed(CPU_FORM, parseCpu);
}

export function readMemoryMiB(cursor: Cursor): number {
  return cursor.parsed(MEMORY_FORM, parseMemory);
}

export function readDeviceMillis(cursor: Cursor): number {
  return cursor.parsed(DEVICE_FORM, parseDevices);
}

/** `{ cpu: 2, memory: 1Gi }` */
export function readCpuAndMemory(cursor: Cursor): CpuAndMemory {
  const fields = cursor.fields(["cpu", "memory"]);
  return {
    cpuMillis: readCpuMillis(fields.need("cpu")),
    memoryMiB: readMemoryMiB(fields.need("memory")),
  };
}

export function plainCpuAndMemory(amounts: CpuAndMemory): PlainFields {
  return { cpu: formatCpu(amounts.cpuMillis), memory: formatMemory(amounts.memoryMiB) };
}

export function readLabels(cursor: Cursor): Labels {
  // Not by assignment: a label may be called `__proto__`, and would vanish.
  return Object.fromEntries([...cursor.entries()].map(([name, { value }]) => [name, value.text()]));
}

/** Adds the field unless the file may leave it out. */
export function putUnlessEmpty(
  plain: PlainFields,
  name: string,
  value: readonly Plain[] | Labels,
): void {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (size > 0) plain[name] = value;
}
