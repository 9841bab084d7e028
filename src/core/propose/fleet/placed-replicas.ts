/**
 * Who is on a node, or is assumed to be: those of the view, then proposals that are not in it yet.
 */
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { Placed, Selector } from "../../observe/neighbours.ts";
import type { AssumedBinds } from "./assumed-binds.ts";

/** At least those that the selector means; left out: all. */
export function* placedReplicas(
  objects: ObjectIndex,
  assumed: AssumedBinds,
  selector?: Selector,
): Iterable<Placed> {
  const of = selector?.of;
  const replicas =
    of?.kind === "siblings" ? objects.replicasOf(of.workload) : objects.all("Replica");
  for (const replica of replicas.values()) {
    const { node } = replica.status;
    if (node !== undefined) yield { replica, node };
  }
  yield* assumed.all();
}
