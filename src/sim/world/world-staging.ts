/** A run that begins with an empty log: people set its world up, and faults come from its seed. */
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { drawScheduled, isScheduled, type ScheduledFault } from "../faults/scheduled-faults.ts";
import type { Stage, Staging } from "../staging.ts";
import { createCast } from "./cast.ts";

const FIRST_START = hashText("first-start");

export const WORLD_STAGING: Staging = { cast: createCast, prepare, start };

function prepare({ sim }: Stage): void {
  const { queue, options } = sim;
  const { world, faults, seed } = options;
  // Faults come first, so that they strike before all other events of the same time.
  const scheduled: ScheduledFault[] = faults.explicit.filter(isScheduled);
  scheduled.push(...drawScheduled(seed, faults.rates, world));
  for (const fault of scheduled) queue.push(fault.atMs, { kind: "fault", fault });
  queue.push(world.faultsUntilMs, { kind: "heal" });
}

function start({ sim, cast }: Stage): void {
  const { queue, seed } = sim;
  for (const client of cast.clients) {
    if (client.machine !== undefined) continue;
    const atMs = between(keyed(seed, FIRST_START, client.nameHash, 0, 0), 1, 100);
    queue.push(atMs, { kind: "restart-client", client, incarnation: 0 });
  }
  for (const { node, atMs } of cast.firstBoots) {
    const delay = between(keyed(seed, FIRST_START, node.agent.nameHash, 0, 0), 1, 1_000);
    queue.push(atMs + delay, { kind: "boot", node, boots: 0 });
  }
}
