/** The first stage of placement: which workloads with replicas to place a change concerns. */
import type { Change } from "../../protocol/commit-record.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { View } from "../../observe/view.ts";
import { isSpare } from "../../rules/recovery/spare-rooms.ts";
import { movesPlaces } from "../fleet/avoided-places.ts";
import type { QueuedReplicas } from "../queued-replicas.ts";

export function keysForChange(
  { before, after }: Change,
  view: View,
  queued: QueuedReplicas,
): readonly ObjectKey[] {
  for (const object of [after, before]) {
    if (object?.kind !== "Replica") continue;
    if (object.status.stage === "queued") return [workloadOf(object)];
  }
  if (makesHeldRoom({ before, after }, view)) return [...queued.workloads()];
  const some = after ?? before;
  if (movesPlaces({ before, after })) return [...queued.workloads()];
  // Its recovery may have begun, or room may be kept for it: from then on it has more room than
  // before.
  if (some?.kind === "Workload") return some.spec.recovery === undefined ? [] : [some.key];
  if (some?.kind !== "Reservation") return [];
  if (isSpare(some)) return [some.spec.owner];
  const owner = view.objects.replica(some.spec.owner);
  return owner === undefined ? [] : [workloadOf(owner)];
}

/**
 * Whether one more was asked to leave a node where room is held: what is left beside it may have
 * grown. A preemption that is the first there leaves no replica more than before.
 */
function makesHeldRoom({ before, after }: Pick<Change, "before" | "after">, view: View): boolean {
  if (after?.kind !== "Replica" || after.status.stopping === undefined) return false;
  if (before?.kind === "Replica" && before.status.stopping !== undefined) return false;
  const { node, stopping } = after.status;
  const holds = node === undefined ? 0 : view.objects.useOf(node).held.size;
  return holds > (stopping.reason === "preempted" ? 1 : 0);
}
