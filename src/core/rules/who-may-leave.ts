/**
 * Of the replicas on a node that is to be emptied: who leaves already, who may, and who cannot be
 * spared.
 */
import type { Replica } from "../model/objects.ts";
import { withinBudgets } from "./disruption.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export interface Leavers {
  /** Asked to stop, for whatever reason. */
  readonly stopping: readonly Replica[];
  /** As many of each workload as it can spare at this moment. */
  readonly leave: readonly Replica[];
  readonly stay: readonly Replica[];
}

/** Each in the order of their names. */
export function whoMayLeave(objects: ObjectIndex, node: string): Leavers {
  const replicas = [...objects.replicasOn(node).values()].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  const asked = replicas.filter(({ status }) => status.stopping === undefined);
  const leave = withinBudgets(objects, asked, "drain");
  const leaving = new Set(leave);
  return {
    stopping: replicas.filter(({ status }) => status.stopping !== undefined),
    leave,
    stay: asked.filter((replica) => !leaving.has(replica)),
  };
}
