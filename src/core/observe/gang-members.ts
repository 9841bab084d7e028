/**
 * How complete a gang is: who of it waits for a node, and which of its indexes cannot be bound yet.
 * The scheduler asks this of its view, the authority of the truth (GA1).
 */
import { replicaKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { holdsNode } from "../model/stage.ts";
import type { ObjectIndex } from "./object-index.ts";

export interface GangMembers {
  /** In the order of their indexes. */
  readonly queued: readonly Replica[];
  /**
   * Wanted indexes that neither wait for a node nor have one: while there are any, no member is
   * bound.
   */
  readonly missing: readonly number[];
}

export function gangMembers(
  { meta, spec, status }: Workload,
  objects: Pick<ObjectIndex, "replica">,
): GangMembers {
  const { namespace: tenant, name: workload } = meta;
  const generation = status.templateGeneration;
  const queued: Replica[] = [];
  const missing: number[] = [];
  for (let index = 0; index < spec.replicas; index += 1) {
    const member = objects.replica(replicaKey({ tenant, workload, generation, index }));
    // What a namesake left behind is none of it.
    if (member?.spec.workloadUid !== meta.uid) missing.push(index);
    else if (member.status.stage === "queued") queued.push(member);
    else if (!isDoneOrRunning(member)) missing.push(index);
  }
  return { queued, missing };
}

/** One that is being stopped will leave its place; the others wait for its next incarnation. */
const isDoneOrRunning = ({ status }: Replica): boolean =>
  status.stage === "succeeded" || (holdsNode(status.stage) && status.stopping === undefined);
