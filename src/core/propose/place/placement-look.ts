/** One look at one workload: what every stage of placement is told. */
import type { Look } from "../../protocol/decision.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import type { View } from "../../observe/view.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import type { PlacementMode } from "../fleet/placement-mode.ts";
import type { WaitingLine } from "../queue/waiting-line.ts";
import type { QueuedReplicas } from "../queued-replicas.ts";

/** Enough to spread the cost of a commit thin; few enough that one stale node spoils little. */
export const BINDS_PER_LOOK = 256;

/** What a scheduler knows besides its view. */
export interface SchedulerState {
  readonly queued: QueuedReplicas;
  readonly line: WaitingLine;
  readonly finder: NodeFinder;
}

export interface PlacementLook extends SchedulerState {
  readonly workload: ObjectKey;
  /** Undefined once it is deleted: some of its replicas may still be in the queue. */
  readonly desired: Workload | undefined;
  readonly first: Replica;
  /** The head of its queue, newest generation first, with the first among them. */
  readonly replicas: readonly Replica[];
  readonly priority: number;
  readonly mode: PlacementMode;
  readonly view: View;
  readonly look: Look;
}
