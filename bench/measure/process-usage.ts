/**
 * Processor time and memory of another process, as Linux tells them under /proc. Elsewhere nothing
 * is known, and nothing is claimed.
 */
import { readFileSync } from "node:fs";

export interface ProcessUsage {
  /** Of all its threads, since it began. */
  readonly cpuSeconds: number;
  /** The most it ever held. */
  readonly peakRssMiB: number;
}

/**
 * Linux counts processor time for programs in hundredths of a second, whatever the kernel's own
 * clock is.
 */
const TICKS_A_SECOND = 100;

export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return parseUsage(stat, readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return undefined;
  }
}

export function parseUsage(stat: string, status: string): ProcessUsage | undefined {
  // The name in brackets may hold blanks and brackets itself, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  const peakKiB = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  if (Number.isNaN(ticks) || Number.isNaN(peakKiB)) return undefined;
  return { cpuSeconds: ticks / TICKS_A_SECOND, peakRssMiB: Math.round(peakKiB / 1024) };
}

/** Of this process and its threads, since it began. */
export function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
