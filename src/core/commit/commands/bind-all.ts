/**
 * Many binds in one commit, all or none: a gang starts together or not at all, and a wide workload costs one
 * commit instead of a thousand. Each is judged as if the ones before it were already there.
 */
import { Neighbourhood } from "../../rules/feasibility/neighbourhood.ts";
import type { Replica } from "../../model/objects.ts";
import { Neighbours } from "../../observe/neighbours.ts";
import { roomFor } from "../../observe/held-room.ts";
import { addToDevices, addToNode, holdRoom, type NodeUse } from "../../observe/usage.ts";
import { type IntentOf, SLOTS_PER_COMMAND } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type Bench, isNo, missing, type Verdict } from "../verdict.ts";
import { no } from "../../protocol/no.ts";
import type { JudgedBind } from "../checks/bind-budget.ts";
import { judgeBinding } from "./bind.ts";
import { gangIncomplete } from "../checks/gang.ts";
import { RegionQuota } from "../checks/region-quota.ts";

export function judgeBindAll(bench: Bench, intent: IntentOf<"bind-all">): Verdict {
  const { bindings } = intent;
  if (bindings.length === 0 || bindings.length > SLOTS_PER_COMMAND) {
    return no("bad-object", "bindings", `1 to ${SLOTS_PER_COMMAND}`, bindings.length);
  }
  const uses = new Map<string, NodeUse>();
  const seen = new Set<string>();
  const { objects } = bench.ledger;
  const judged: JudgedBind[] = [];
  const book = new Neighbours({
    node: (name) => objects.nodeNamed(name),
    placed: () => judged,
  });
  const neighbours = new Neighbourhood(objects.neighbours, book);
  const regions = new RegionQuota(objects);
  const changes: Change[] = [];
  const bound: Replica[] = [];
  for (const binding of bindings) {
    // Judged against the truth it would pass twice; it can only be bound once.
    if (seen.has(binding.replica)) {
      return no("already-bound", binding.replica, "named once", "named twice");
    }
    seen.add(binding.replica);
    const replica = objects.replica(binding.replica);
    if (replica === undefined) return missing(binding.replica);
    bound.push(replica);
    const use = useSoFar(bench, uses, binding.node);
    const verdict = judgeBinding(bench, replica, binding, { use, neighbours, judged });
    if (isNo(verdict)) return verdict;
    const exceeded = regions.exceededBy(replica, binding.node);
    if (exceeded !== undefined) return exceeded;
    changes.push(...verdict);
    const held = roomFor(objects, replica);
    const room = held?.spec.room;
    // It is bound now, here or elsewhere: its reserved room is freed (PE7).
    if (held && room) holdRoom(useSoFar(bench, uses, room.node), held.key, undefined);
    if (binding.spare !== undefined) holdRoom(use, binding.spare, undefined);
    addToNode(use, replica.spec.template.ask.amounts, 1);
    addToDevices(use, replica, binding.deviceIds, 1);
    judged.push({ replica, node: binding.node, budget: binding.budget });
    book.note(replica, binding.node, 1);
  }
  return gangIncomplete(bench, bound) ?? changes;
}

/** What is taken of a node by the time of a binding, in a copy of this command's own. */
function useSoFar({ ledger }: Bench, uses: Map<string, NodeUse>, node: string): NodeUse {
  const known = uses.get(node);
  if (known !== undefined) return known;
  const now = ledger.objects.useOf(node);
  const use = { ...now, devices: new Map(now.devices) };
  uses.set(node, use);
  return use;
}
