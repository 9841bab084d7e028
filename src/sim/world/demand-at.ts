/**
 * How much a workload is asked to do at a time, and what was asked of it within a while: a curve of
 * steps.
 */
import type { DemandStep } from "./world.ts";

export function demandAt(demand: readonly DemandStep[], atMs: number): number {
  let load = 0;
  for (const step of demand) if (step.atMs <= atMs) ({ load } = step);
  return load;
}

/** The least and the most between two times. */
export function demandWithin(
  demand: readonly DemandStep[],
  fromMs: number,
  toMs: number,
): { readonly least: number; readonly most: number } {
  const loads = [demandAt(demand, fromMs)];
  for (const { atMs, load } of demand) if (atMs > fromMs && atMs <= toMs) loads.push(load);
  return { least: Math.min(...loads), most: Math.max(...loads) };
}
