/**
 * Who is on a node, or is assumed to be: those of the view, then proposals that are not in it yet.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
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
  if (of?.kind === "siblings") yield* siblings(objects.replicasOf(of.workload), assumed);
  else yield* everyReplica(objects, assumed);
}

function* everyReplica(objects: ObjectIndex, assumed: AssumedBinds): Iterable<Placed> {
  for (const replica of objects.all("Replica").values()) {
    const { node } = replica.status;
    if (node !== undefined) yield { replica, node };
  }
  yield* assumed.all();
}

/** Proposals are many, those for one workload few: they are found by their replicas. */
function* siblings(
  replicas: ReadonlyMap<ObjectKey, Replica>,
  assumed: AssumedBinds,
): Iterable<Placed> {
  for (const [key, replica] of replicas) {
    const { node } = replica.status;
    if (node !== undefined) yield { replica, node };
    const bind = assumed.get(key);
    if (bind !== undefined) yield bind;
  }
}
