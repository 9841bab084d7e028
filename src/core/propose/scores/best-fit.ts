/** Prefers the node that is left fullest, so that large replicas find large holes. 0 to 1000 points. */
import type { Candidate } from "../../feasibility/misfit.ts";
import type { Ask } from "../../model/objects.ts";

export function bestFit({ node, use }: Candidate, ask: Ask): number {
  const { capacity } = node.spec;
  const cpu = perMille(use.cpuMillis + ask.amounts.cpuMillis, capacity.cpuMillis);
  const memory = perMille(use.memoryMiB + ask.amounts.memoryMiB, capacity.memoryMiB);
  return (cpu + memory) >> 1;
}

const perMille = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 1000) / whole);
