/**
 * How complete a gang is: who of it waits for a node, and which of its slots cannot be bound yet.
 * The scheduler asks this of its view, the authority of the truth (GA1).
 */
import { replicaKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { holdsNode } from "../model/stage.ts";
import type { ObjectIndex } from "./object-index.ts";

export interface GangMembers {
  /** In the order of their slots. */
  readonly queued: readonly Replica[];
  /**
   * Wanted slots that neither wait for a node nor have one: while there are any, no member is
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
  for (let slot = 0; slot < spec.replicas; slot += 1) {
    const member = objects.replica(replicaKey({ tenant, workload, generation, slot }));
    // What a namesake left behind is none of it.
    if (member?.spec.workloadUid !== meta.uid) missing.push(slot);
    else if (member.status.stage === "queued") queued.push(member);
    else if (!isDoneOrRunning(member)) missing.push(slot);
  }
  return { queued, missing };
}

/** One that is being stopped will leave its place; the others wait for its next incarnation. */
const isDoneOrRunning = ({ status }: Replica): boolean =>
  status.stage === "succeeded" || (holdsNode(status.stage) && status.stopping === undefined);
