/** Keeps replicas that need no device off nodes that have some free: devices are the scarcer good. */
import type { Candidate } from "../../feasibility/misfit.ts";
import type { Ask } from "../../model/objects.ts";

export const spareDevices = ({ node, use }: Candidate, ask: Ask): number =>
  ask.amounts.devices === 0 && node.spec.capacity.devices > use.devices ? -500 : 0;
