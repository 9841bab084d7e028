/** What an import made of a dump, for people: what came over, what differs, what stayed behind. */
import { countText } from "../../core/model/text/count-text.ts";
import type { Import } from "../../fleet/kubernetes/import-kubernetes.ts";
import { columns } from "../client/columns.ts";

export function importText({ counts, differences, notes }: Import): string {
  const { nodes, pods, bound, workloads, tenants } = counts;
  const head =
    `${countText(nodes, "node")}, ${countText(pods, "pod")} (${bound} on a node), ` +
    `${countText(workloads, "workload")}, ${countText(tenants, "tenant")}.\n`;
  return [head, fidelityText(differences, bound), notesText(notes)].join("\n");
}

function fidelityText(differences: Import["differences"], bound: number): string {
  if (differences.length === 0) {
    return `Fidelity: Berth's rules allow all ${bound} pods on the nodes where they run today.\n`;
  }
  const rows = differences.map(({ rule, count, nodes, examples }) => [
    rule,
    String(count),
    String(nodes),
    examples[0] ?? "",
  ]);
  const total = differences.reduce((sum, { count }) => sum + count, 0);
  const head = `Fidelity: Berth's rules would not place ${total} of ${bound} pods where they run today:\n`;
  return head + columns([["RULE", "PODS", "NODES", "FOR EXAMPLE"], ...rows]);
}

function notesText(notes: Import["notes"]): string {
  if (notes.length === 0) return "Everything in the dump has an equal in Berth.\n";
  const rows = notes.map(({ count, what, effect, examples }) => [
    String(count),
    what,
    effect,
    examples[0] ?? "",
  ]);
  const head = "Not carried over as it is:\n";
  return head + columns([["COUNT", "WHAT", "EFFECT", "FOR EXAMPLE"], ...rows]);
}
