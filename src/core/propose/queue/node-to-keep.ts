/**
 * Which node is kept for a replica that was passed over for too long: one that has room for it once
 * everything that ends by itself has ended, that is batches and whatever was asked to stop.
 *
 * Of those, each workload has an order of its own, by a hash, which any scheduler comes to without
 * asking the others. The fullest or the emptiest would be another node for each of them, and what
 * one keeps, the others would fill.
 */
import { firstMisfit } from "../../rules/feasibility/feasibility.ts";
import { finish, hashText, mix } from "../../kernel/keyed-hash.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { useAfter } from "../../observe/held-room.ts";
import type { View } from "../../observe/view.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import { IN_TURN } from "../fleet/placement-mode.ts";
import type { Claim } from "./kept-nodes.ts";

export function nodeToKeep(
  replica: Replica,
  claim: Claim,
  search: { readonly finder: NodeFinder; readonly view: View; readonly nowMs: number },
): string | undefined {
  const { finder, view, nowMs } = search;
  const { names, size } = finder.columns;
  const isOpen = finder.openRows(replica, { ...IN_TURN, nowMs });
  const seed = hashText(workloadOf(replica));
  const candidates: { readonly name: string; readonly rank: number }[] = [];
  for (let row = 0; row < size; row += 1) {
    const name = names[row] ?? "";
    if (!isOpen(row) || !finder.heldBack.kept.isToBeHad(name, claim)) continue;
    candidates.push({ name, rank: finish(mix(seed, hashText(name))) });
  }
  candidates.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return candidates.find(({ name }) => willFit(replica, name, view))?.name;
}

function willFit(replica: Replica, name: string, { objects }: View): boolean {
  const node = objects.node(nodeKey(name));
  if (node === undefined) return false;
  const ending = [...objects.replicasOn(name).values()].filter(
    ({ spec, status }) => spec.type === "batch" || status.stopping !== undefined,
  );
  const use = useAfter(objects.useOf(name), ending, replica);
  return firstMisfit({ node, use }, replica.spec.template.ask) === undefined;
}
