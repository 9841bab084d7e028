/** An amount of one resource as people say it, in the units of the view. */
import { cpuText, memoryText } from "../parts/amount-text.ts";
import type { Resource } from "./fleet-row.ts";

/** Ten thousand of something: longer numbers are read in groups. */
const SHORT = 10_000_000;

/** `9,944` */
export const countText = (count: number): string => Math.round(count).toLocaleString("en");

export function amountText(amount: number, resource: Resource): string {
  switch (resource) {
    case "memory":
      return amount === 0 ? "0" : memoryText(amount);
    case "cpu":
    case "devices":
      // Thousandths of both, because a device may be shared.
      return amount < SHORT ? cpuText(amount) : countText(amount / 1_000);
  }
}

export const RESOURCE_LABELS: Readonly<Record<Resource, string>> = {
  cpu: "CPU",
  memory: "Memory",
  devices: "Devices",
};
