/**
 * Many binds in one commit, all or none: a gang starts together or not at all, and a wide workload costs one
 * commit instead of a thousand. Each is judged as if the ones before it were already there.
 */
import { Neighbourhood } from "../../feasibility/neighbourhood.ts";
import type { Replica } from "../../model/objects.ts";
import { Neighbours, type Placed } from "../../observe/neighbours.ts";
import { roomFor } from "../../observe/held-room.ts";
import { addToDevices, addToNode, holdRoom, type NodeUse } from "../../observe/usage.ts";
import { type IntentOf, SLOTS_PER_COMMAND } from "../command.ts";
import type { Change } from "../commit-record.ts";
import { type Bench, isNo, no, type Verdict } from "../verdict.ts";
import { judgeBinding } from "./bind.ts";
import { gangIncomplete } from "./gang.ts";
import { RegionQuota } from "./region-quota.ts";

export function judgeBindAll(bench: Bench, intent: IntentOf<"bind-all">): Verdict {
  const { bindings } = intent;
  if (bindings.length === 0 || bindings.length > SLOTS_PER_COMMAND) {
    return no("bad-object", "bindings", `1 to ${SLOTS_PER_COMMAND}`, bindings.length);
  }
  const uses = new Map<string, NodeUse>();
  const seen = new Set<string>();
  const { objects } = bench.ledger;
  const earlier: Placed[] = [];
  const book = new Neighbours({
    node: (name) => objects.nodeNamed(name),
    placed: () => earlier,
  });
  const neighbours = new Neighbourhood(objects.neighbours, book);
  const regions = new RegionQuota(objects);
  const changes: Change[] = [];
  for (const binding of bindings) {
    // Judged against the truth it would pass twice; it can only be bound once.
    if (seen.has(binding.replica)) {
      return no("already-bound", binding.replica, "named once", "named twice");
    }
    seen.add(binding.replica);
    let use = uses.get(binding.node);
    if (use === undefined) {
      const held = objects.useOf(binding.node);
      use = { ...held, devices: new Map(held.devices) };
      uses.set(binding.node, use);
    }
    const verdict = judgeBinding(bench, binding, { use, neighbours });
    if (isNo(verdict)) return verdict;
    const exceeded = regions.exceededBy(binding);
    if (exceeded !== undefined) return exceeded;
    changes.push(...verdict);
    const replica = objects.replica(binding.replica) as Replica;
    const room = roomFor(objects, replica);
    // It is there now: what was held for it is not held beside it.
    if (room?.spec.room?.node === binding.node) holdRoom(use, room.key, undefined);
    addToNode(use, replica.spec.template.ask.amounts, 1);
    addToDevices(use, replica, binding.deviceIds, 1);
    earlier.push({ replica, node: binding.node });
    book.note(replica, binding.node, 1);
  }
  return gangIncomplete(bench, bindings) ?? changes;
}
