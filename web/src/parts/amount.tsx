/** Processor and memory in one line: `1.5 cpu · 2Gi`. */
import { cpuText, memoryText } from "./amount-text.ts";

export interface AmountProps {
  readonly cpuMillis?: number;
  readonly memoryMiB?: number;
  readonly devices?: number;
}

export function Amount({ cpuMillis, memoryMiB, devices }: AmountProps) {
  const parts = [
    cpuMillis === undefined ? undefined : `${cpuText(cpuMillis)} cpu`,
    memoryMiB === undefined ? undefined : memoryText(memoryMiB),
    devices === undefined || devices === 0 ? undefined : `${devices} devices`,
  ].filter((part) => part !== undefined);
  return <span class="amount">{parts.join(" · ")}</span>;
}
