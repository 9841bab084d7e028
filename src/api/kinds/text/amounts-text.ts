/** Amounts as they are shown: Kubernetes quantities, always as text. */
import type { Amounts } from "../../../core/model/amounts.ts";
import { formatCpu, formatDevices, formatMemory } from "../../../quantity/quantity.ts";
import { fields, quantity, text } from "../../schema/shapes.ts";

export interface AmountsText {
  readonly cpu: string;
  readonly memory: string;
  readonly devices: string | number;
}

export const cpuText = (millis: number): string => String(formatCpu(millis));
export const memoryText = (mib: number): string => String(formatMemory(mib));

/** Whole devices are plain numbers; only a share of one needs a suffix. */
export const deviceText = (millis: number): string | number => formatDevices(millis);

export const writeAmounts = (amounts: Amounts): AmountsText => ({
  cpu: cpuText(amounts.cpuMillis),
  memory: memoryText(amounts.memoryMiB),
  devices: deviceText(amounts.deviceMillis),
});

/** `1500m/4`: usage of capacity. */
export const cpuShare = (taken: Amounts, whole: Amounts): string =>
  `${cpuText(taken.cpuMillis)}/${cpuText(whole.cpuMillis)}`;
export const memoryShare = (taken: Amounts, whole: Amounts): string =>
  `${memoryText(taken.memoryMiB)}/${memoryText(whole.memoryMiB)}`;
export const deviceShare = (taken: Amounts, whole: Amounts): string =>
  `${deviceText(taken.deviceMillis)}/${deviceText(whole.deviceMillis)}`;

/** Amounts in a status, which users do not write. */
export const shownAmounts = (description: string) =>
  fields(description, {
    cpu: text("CPUs."),
    memory: text("Memory."),
    devices: quantity("Devices; 500m is half of one."),
  });
