/**
 * How much CPU each process of a node has used between two looks, as a part of what it asked for.
 * Where a process has a cgroup, the kernel counts for all that is in it; elsewhere one walk over
 * /proc adds up its process group. It costs a file or a walk every ten seconds, whatever is
 * measured.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { ObjectKey } from "../../core/model/ids.ts";
import { cpuUsedUs } from "../cgroups/replica-groups.ts";
import type { Scraped } from "./scrape-counter.ts";

export interface RunningProcess {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  /** Of its first process, which leads its process group. */
  readonly pid: number;
  /** Empty: it has none. */
  readonly cgroups: readonly string[];
  readonly cpuMillis: number;
  /** Where it tells of its requests; left out: it does not. */
  readonly scraped?: Scraped;
}

export interface CpuSample {
  readonly replica: ObjectKey;
  /** Percent of what it asked for. */
  readonly percent: number;
}

/** Linux tells user space times in hundredths of a second, on every machine. */
const TICK_US = 10_000;

interface Seen {
  readonly usedUs: number;
  readonly atMs: number;
}

export class CpuSamples {
  private seen = new Map<string, Seen>();

  /**
   * Of processes that were there at the look before; one that asks for no CPU has no part of it.
   */
  take(processes: readonly RunningProcess[], nowMs: number): readonly CpuSample[] {
    const groups = processes.some(({ cgroups }) => cgroups.length === 0)
      ? usedByGroup()
      : new Map<number, number>();
    const seen = new Map<string, Seen>();
    const samples: CpuSample[] = [];
    for (const process of processes) {
      const { cgroups, pid } = process;
      const usedUs = cgroups.length === 0 ? groups.get(pid) : cpuUsedUs(cgroups);
      if (usedUs === undefined) continue;
      const name = `${process.replica} ${process.incarnation}`;
      const before = this.seen.get(name);
      seen.set(name, { usedUs, atMs: nowMs });
      const ranMs = nowMs - (before?.atMs ?? nowMs);
      if (before === undefined || ranMs <= 0 || process.cpuMillis === 0) continue;
      const millis = Math.max(0, usedUs - before.usedUs) / ranMs;
      samples.push({ replica: process.replica, percent: (100 * millis) / process.cpuMillis });
    }
    this.seen = seen;
    return samples;
  }
}

/**
 * Microseconds of all processes that are there, and of children they have waited for, by process
 * group.
 */
function usedByGroup(): Map<number, number> {
  const used = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = read(`/proc/${entry}/stat`);
    if (stat === undefined) continue;
    // The second field is the program's name in parentheses and may hold anything, so count from
    // its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const group = Number(fields[2]);
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    used.set(group, (used.get(group) ?? 0) + ticks * TICK_US);
  }
  return used;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended since.
    return undefined;
  }
}
