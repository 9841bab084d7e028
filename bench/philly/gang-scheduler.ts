/** Whoever decides which of the waiting jobs start. Time is told to it; it never asks. */
import type { Job } from "./philly-trace.ts";

export interface GangScheduler {
  submit(job: Job, nowS: number): void;
  /** It expired: what it held is free. */
  leave(job: Job): void;
  /** Those that start now, each with all its devices. */
  takeTurn(nowS: number): readonly Job[];
}

export interface GangWorld {
  readonly nodes: number;
  readonly devicesEach: number;
}

/** The parts of a gang are alike: as few as fit on nodes, each of as many devices. */
export function partsOf(devices: number, devicesEach: number): { count: number; each: number } {
  let count = Math.ceil(devices / devicesEach);
  while (devices % count !== 0) count += 1;
  return { count, each: devices / count };
}

export const nodeName = (at: number): string => `node-${String(at).padStart(5, "0")}`;
