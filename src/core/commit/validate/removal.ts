/**
 * An object goes for good: at once when nothing holds it, or with its last finalizer. Either way nothing may
 * depend on it any more (OB4, QT4).
 */
import { equalAmounts, NOTHING } from "../../model/amounts.ts";
import { leaseKey, type ObjectKey, workloadKey } from "../../model/ids.ts";
import type { AnyObject, Replica } from "../../model/objects.ts";
import { holdsNode, isResting } from "../../model/stage.ts";
import { wantsSlot } from "../../model/wanted-slots.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { nodesOfPool } from "../../observe/pool-nodes.ts";
import { isSpent } from "../../observe/slot-replicas.ts";
import { sparesOf } from "../../rules/recovery/spare-rooms.ts";
import { type Bench, removed, type Verdict } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";
import { autoscalersOf } from "../checks/autoscaler.ts";
import { isSpentOf } from "../checks/budget.ts";

export function removal(bench: Bench, held: AnyObject): Verdict {
  return stillUsed(bench, held) ?? withDependents(bench, held).map(removed);
}

/**
 * A lease means nothing without its node, and would be taken for a later node's of the same name; the same is
 * true of room that is held there. While replicas still hold the node it is all that tells when they are gone.
 * Room that is kept for a workload goes with the workload (RV5), and so does what scales it (AS1).
 */
export function withDependents(bench: Bench, held: AnyObject): readonly AnyObject[] {
  const { objects } = bench.ledger;
  if (held.kind === "Workload") {
    return [held, ...sparesOf(objects, held), ...autoscalersOf(bench, held)];
  }
  if (held.kind !== "Node") return [held];
  const isHeld = objects.replicasOn(held.meta.name).size > 0;
  const lease = isHeld ? undefined : objects.lease(leaseKey(held.meta.name));
  return [held, ...(lease ? [lease] : []), ...objects.useOf(held.meta.name).held.values()];
}

export function stillUsed(bench: Bench, held: AnyObject): No | undefined {
  const { objects } = bench.ledger;
  const used = (by: string): No => no("still-in-use", held.key, "unused", by);
  switch (held.kind) {
    case "Replica":
      return replicaStillUsed(bench, held);
    case "Node": {
      const first = firstKey(objects.replicasOn(held.meta.name).keys());
      return first === undefined ? undefined : used(first);
    }
    case "Quota": {
      const { reserved, committed } = objects.accountOf(held.meta.namespace);
      return equalAmounts(reserved, NOTHING) && equalAmounts(committed, NOTHING)
        ? undefined
        : no("quota-below-use", held.key, "nothing reserved or committed", "in use");
    }
    case "Budget":
      return isSpentOf(bench, held)
        ? no("budget-in-use", held.key, "nothing spent of it", "some")
        : undefined;
    case "NodePool": {
      const [first] = nodesOfPool(objects, held.meta.name);
      return first === undefined ? undefined : used(first.key);
    }
    case "PolicyRevision": {
      const first = firstKey(namers(objects, held.meta.name));
      return first === undefined ? undefined : used(first);
    }
    case "Tenant": {
      const owned = [...objects.all("Workload").values(), ...objects.all("Quota").values()];
      const first = firstKey(
        owned.filter((o) => o.meta.namespace === held.meta.name).map((o) => o.key),
      );
      return first === undefined ? undefined : used(first);
    }
    default:
      return undefined;
  }
}

/** A wanted replica that vanished would begin again at life one and meet its own old operations. */
function replicaStillUsed(bench: Bench, replica: Replica): No | undefined {
  const { stage } = replica.status;
  if (!isResting(stage)) return no("still-in-use", replica.key, "at rest", stage);
  if (isSpent(bench.ledger.objects, replica)) return undefined;
  const { workload: name, workloadUid: uid, generation, slot } = replica.spec;
  const workload = bench.ledger.objects.workload(workloadKey(replica.meta.namespace, name));
  const wanted = wantsSlot(workload, { uid, generation, slot });
  return wanted ? no("still-in-use", replica.key, "not wanted", "wanted") : undefined;
}

/** Pointers, live bindings and held rooms that name the revision (PY3). */
function* namers(objects: ObjectIndex, revision: string): Iterable<ObjectKey> {
  for (const { key, spec } of objects.all("Policy").values()) {
    const stages = spec.stages ?? [];
    if (spec.active === revision || stages.some((stage) => stage.revision === revision)) yield key;
  }
  for (const { key, status } of objects.all("Replica").values()) {
    if (status.policyRevision === revision && holdsNode(status.stage)) yield key;
  }
  for (const { key, spec } of objects.all("Reservation").values()) {
    if (spec.policyRevision === revision) yield key;
  }
}

const firstKey = (keys: Iterable<ObjectKey>): ObjectKey | undefined => [...keys].toSorted()[0];
