/** What a wait for held room says to people. */
import { leaving } from "../observe/held-room.ts";
import type { View } from "../observe/view.ts";

/** Of the nodes on which room is held for a workload. */
const NODES_SHOWN = 3;

/** e.g. "waits for room on n1: 2 victims stopping" */
export function heldSummary(nodes: readonly string[], view: View): string {
  const victims = nodes.reduce((sum, node) => sum + [...leaving(view.objects, node)].length, 0);
  const on = nodes.toSorted().slice(0, NODES_SHOWN).join(", ");
  const more = nodes.length > NODES_SHOWN ? ` and ${nodes.length - NODES_SHOWN} more` : "";
  return `waits for room on ${on}${more}: ${victims} ${victims === 1 ? "victim" : "victims"} stopping`;
}
