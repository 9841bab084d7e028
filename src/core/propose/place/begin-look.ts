/**
 * The look stage: whose look it is and in which mode, which decides the nodes that the search
 * leaves alone.
 */
import type { Look } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { View } from "../../observe/view.ts";
import { nodeOfRefusal } from "../fleet/node-of-refusal.ts";
import { AHEAD, IN_TURN } from "../fleet/placement-mode.ts";
import type { PlacementLook, SchedulerState } from "./placement-look.ts";

/**
 * Before a look: room of ungranted proposals is free again, and nodes that refused are left alone.
 */
export function catchUp({ finder }: SchedulerState, asked: readonly Replica[], look: Look): void {
  for (const { key } of asked) finder.forget(key);
  finder.forgetOverdue(look.now);
  finder.liftShunned();
  for (const refusal of look.feedback) {
    const node = nodeOfRefusal(refusal);
    if (node !== undefined) finder.shun(node, refusal.revision);
  }
}

export function beginLook(
  first: Replica,
  replicas: readonly Replica[],
  state: SchedulerState & { readonly view: View; readonly look: Look },
): PlacementLook {
  const { view, look, line, finder } = state;
  const workload = workloadOf(first);
  const { priority } = line.waiting(workload, view);
  finder.heldBack.avoid(workload, replicas, look.now);
  finder.heldBack.lookFor({ workload, priority }, look.now);
  const desired = view.objects.workload(workload);
  const mode = { ...(look.isAhead === true ? AHEAD : IN_TURN), nowMs: look.now };
  return { ...state, workload, desired, first, replicas, priority, mode };
}
