/** Decides which of the waiting jobs start. Its caller passes the time. */
import type { Job } from "./philly-trace.ts";

export interface GangScheduler {
  submit(job: Job, nowS: number): void;
  /** The job ended and frees its devices. */
  leave(job: Job): void;
  /** The jobs that start now, each with all its devices. */
  takeTurn(nowS: number): readonly Job[];
}

export interface GangWorld {
  readonly nodes: number;
  readonly devicesEach: number;
}

/** The parts of a gang are alike: as few as fit on nodes, each with the same number of devices. */
export function partsOf(devices: number, devicesEach: number): { count: number; each: number } {
  let count = Math.ceil(devices / devicesEach);
  while (devices % count !== 0) count += 1;
  return { count, each: devices / count };
}

export const nodeName = (at: number): string => `node-${String(at).padStart(5, "0")}`;
