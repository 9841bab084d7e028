/**
 * A process id alone is not an identity: ids are used again. Together with the time the kernel
 * started the process they name one process of this boot.
 */
import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot at which the kernel started it. */
  readonly startTicks: number;
}

/** Whether this very process still runs. One that has ended and waits to be reaped does not. */
export function isRunning({ pid, startTicks }: ProcessIdentity): boolean {
  return startTicksOf(pid) === startTicks;
}

export function startTicksOf(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may hold anything, so count from its
  // end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  if (state === "Z" || state === "X") return undefined;
  const ticks = Number(fields[19]);
  return Number.isSafeInteger(ticks) ? ticks : undefined;
}

/** `<pid> <ticks>` as the shims write it; undefined until the whole line is there. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const match = /^(\d+) (\d+)\n$/.exec(text);
  return match ? { pid: Number(match[1]), startTicks: Number(match[2]) } : undefined;
}
