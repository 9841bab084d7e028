/**
 * What an agent says of its node besides that it is alive: every replica it knows of, as of which
 * revision, and how many processes have no binding. The plane compares the first with what is bound
 * there (FG1): an agent that was never shown a replica cannot say that it lacks it.
 */
import type { IntentOf } from "../protocol/command.ts";
import type { Machine } from "../model/node/machine.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { View } from "../observe/view.ts";
import { exists, isOf, type ProcessTable } from "./process-table.ts";

/**
 * Every third renewal: often enough to be found out within two minutes, seldom enough for nodes of
 * a thousand.
 */
export const INVENTORY_EVERY_MS = 15_000;

export class Inventory {
  private dueMs = Number.NEGATIVE_INFINITY;

  tell(
    nowMs: number,
    of: { readonly view: View; readonly processes: ProcessTable; readonly machine: Machine },
    lease: Pick<LeaseKeeper, "isRejected">,
  ): Pick<IntentOf<"lease">, "inventory"> & { readonly notes: readonly string[] } {
    const { view, processes, machine } = of;
    const notes = [...machine.notes, ...unwanted(view, processes)];
    // A renewal that was rejected has told nothing.
    if (nowMs < this.dueMs && !lease.isRejected) return { notes };
    this.dueMs = nowMs + INVENTORY_EVERY_MS;
    const known = new Set(view.objects.all("Replica").keys());
    for (const [key] of processes.entries()) known.add(key);
    const drivers = machine.drivers === undefined ? {} : { drivers: machine.drivers };
    const replicas = [...known].toSorted();
    return { notes, inventory: { asOf: view.revision, replicas, ...drivers } };
  }
}

/**
 * Processes whose replica is gone, or is in another incarnation incarnation: they are being stopped
 * (AG4, AG7).
 */
function unwanted(view: View, processes: ProcessTable): readonly string[] {
  let count = 0;
  for (const [key, process] of processes.entries()) {
    const replica = view.objects.replica(key);
    if (exists(process) && (replica === undefined || !isOf(process, replica))) count += 1;
  }
  if (count === 0) return [];
  return [`${count} ${count === 1 ? "process" : "processes"} without a binding, being stopped`];
}
