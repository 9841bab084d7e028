/** A change that may make a capacity question hold. */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Template, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

export interface Candidate {
  /** As a sentence without its end, such as "add 2 nodes like b-1 in zone b". */
  readonly change: string;
  /** What a person applies. */
  readonly applied: readonly AnyObject[];
  /** All objects that are others with it, replicas of a changed template among them. */
  readonly changed: readonly AnyObject[];
}

/** The workload with other terms. */
export function withSpec(workload: Workload, spec: Partial<Workload["spec"]>): Workload {
  return { ...workload, spec: { ...workload.spec, ...spec } };
}

/** The workload and its replicas as they are once the template has been rolled out. */
export function withTemplate(
  objects: ObjectIndex,
  key: ObjectKey,
  template: Template,
): Pick<Candidate, "applied" | "changed"> {
  const workload = objects.workload(key);
  if (workload === undefined) return { applied: [], changed: [] };
  const applied = withSpec(workload, { template });
  const replicas = [...objects.replicasOf(key).values()].map((replica) => ({
    ...replica,
    spec: { ...replica.spec, template },
  }));
  return { applied: [applied], changed: [applied, ...replicas] };
}

/** What is tried on a fleet: the change in words, and all objects that are others with it. */
export type Change = Pick<Candidate, "change" | "changed">;
