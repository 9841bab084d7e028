/**
 * Many binds in one commit, all or none: a gang starts together or not at all, and a wide workload
 * costs one commit instead of a thousand. Each is checked as if the ones before it were already
 * there.
 */
import { roomOf } from "../../model/reservation.ts";
import { Neighbourhood } from "../../rules/feasibility/neighbourhood.ts";
import type { Replica } from "../../model/objects.ts";
import { Neighbours } from "../../observe/neighbours.ts";
import { roomFor } from "../../observe/held-room.ts";
import { addToDevices, addToNode, holdRoom, type NodeUse } from "../../observe/usage.ts";
import { type IntentOf, INDEXES_PER_COMMAND } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { type CommitContext, isRejection, missing, type Verdict } from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";
import type { CheckedBind } from "../checks/bind-budget.ts";
import { checkBinding } from "./bind.ts";
import { gangIncomplete } from "../checks/gang.ts";
import { RegionQuota } from "../checks/region-quota.ts";

export function checkBindAll(context: CommitContext, intent: IntentOf<"bind-all">): Verdict {
  const { bindings } = intent;
  if (bindings.length === 0 || bindings.length > INDEXES_PER_COMMAND) {
    return reject("bad-object", "bindings", `1 to ${INDEXES_PER_COMMAND}`, bindings.length);
  }
  const uses = new Map<string, NodeUse>();
  const seen = new Set<string>();
  const { objects } = context.ledger;
  const checked: CheckedBind[] = [];
  const added = new Neighbours({
    node: (name) => objects.nodeNamed(name),
    placed: () => checked,
  });
  const neighbours = new Neighbourhood(objects.neighbours, added);
  const regions = new RegionQuota(objects);
  const changes: Change[] = [];
  const bound: Replica[] = [];
  for (const binding of bindings) {
    // Checked against the truth it would pass twice; it can only be bound once.
    if (seen.has(binding.replica)) {
      return reject("already-bound", binding.replica, "named once", "named twice");
    }
    seen.add(binding.replica);
    const replica = objects.replica(binding.replica);
    if (replica === undefined) return missing(binding.replica);
    bound.push(replica);
    const use = useSoFar(context, uses, binding.node);
    const verdict = checkBinding(context, replica, binding, { use, neighbours, checked });
    if (isRejection(verdict)) return verdict;
    const exceeded = regions.exceededBy(replica, binding.node);
    if (exceeded !== undefined) return exceeded;
    changes.push(...verdict);
    const held = roomFor(objects, replica);
    const room = held && roomOf(held.spec);
    // It is bound now, here or elsewhere: its reserved room is freed (PE7).
    if (held && room) holdRoom(useSoFar(context, uses, room.node), held.key, undefined);
    if (binding.spare !== undefined) holdRoom(use, binding.spare, undefined);
    addToNode(use, replica.spec.template.ask.amounts, 1);
    addToDevices(use, replica, binding.deviceIds, 1);
    checked.push({ replica, node: binding.node, budget: binding.budget });
    added.note(replica, binding.node, 1);
  }
  return gangIncomplete(context, bound) ?? changes;
}

/** What is taken of a node by the time of a binding, in a copy of this command's own. */
function useSoFar({ ledger }: CommitContext, uses: Map<string, NodeUse>, node: string): NodeUse {
  const known = uses.get(node);
  if (known !== undefined) return known;
  const now = ledger.objects.useOf(node);
  const use = { ...now, devices: new Map(now.devices) };
  uses.set(node, use);
  return use;
}
