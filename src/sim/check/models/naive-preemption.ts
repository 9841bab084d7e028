/**
 * Whose place may be taken, and how much of a workload may be taken out of serving, said a second
 * time: rows of plain comparisons over the objects of one moment.
 */
import type { Node, PriorityClassSpec, Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { feasibleButForRoom } from "./naive-fit.ts";
import { areBandsApart } from "./naive-policy.ts";
import { hasRoomWithout } from "./naive-room.ts";
import { isServing, isWantedBy, servingOf, workloadOf } from "./naive-wanted.ts";
import { perLike } from "./per-like.ts";

/** Why the first may not take the place of the second; undefined when it may. */
export function mayNotTake(objects: ObjectIndex, by: Replica, victim: Replica): string | undefined {
  const mine = classOf(objects, by);
  const its = classOf(objects, victim);
  if (mine === undefined) return "has no class";
  if (isSought(by, victim)) return "must be near it";
  if (mine.preempts === "never") return "is of a class that never preempts";
  const mineAs = { replica: by, band: mine.band ?? "" };
  if (areBandsApart(objects, mineAs, { replica: victim, band: its?.band ?? "" })) {
    return `is of the band ${mine.band}, which a policy keeps from it`;
  }
  if (its === undefined) return undefined;
  if (its.preemptible === false) return "meets a class that is not preemptible";
  if (mine.band !== undefined && mine.band !== "" && mine.band === its.band) {
    return `is of the same band ${mine.band}`;
  }
  return mine.value > its.value ? undefined : `has value ${mine.value} against ${its.value}`;
}

/** Whether the first may only be where one like the other is. */
function isSought(by: Replica, other: Replica): boolean {
  for (const term of by.spec.template.affinity?.required ?? []) {
    const tenants = term.tenants ?? [by.meta.namespace];
    const labels = Object.keys(term.labels);
    const matches = labels.every((label) => other.meta.labels[label] === term.labels[label]);
    if (matches && tenants.includes(other.meta.namespace)) return true;
  }
  return false;
}

function classOf(objects: ObjectIndex, replica: Replica): PriorityClassSpec | undefined {
  const name = replica.spec.template.priorityClass;
  for (const { meta, spec } of objects.all("PriorityClass").values()) {
    if (meta.name === name) return spec;
  }
  return undefined;
}

/** Work without a class is below every class. */
export const priorityOf = (objects: ObjectIndex, replica: Replica): number =>
  classOf(objects, replica)?.value ?? Number.MIN_SAFE_INTEGER;

/** How many of the replicas that the workload is to have neither serve nor have done their work. */
export const unavailable = (objects: ObjectIndex, workload: Workload): number =>
  Math.max(0, workload.spec.replicas - servingOf(objects, workload));

/** How many wanted replicas had a node once and do not serve now, for whatever reason. */
export function takenOut(objects: ObjectIndex, workload: Workload): number {
  let count = 0;
  for (const replica of objects.replicasOf(workload.key).values()) {
    const { node, lastNode, superseded } = replica.status;
    if (node === undefined && lastNode === undefined) continue;
    if (superseded !== undefined || !isWantedBy(workload, replica.spec)) continue;
    if (!isServing(replica)) count += 1;
  }
  return count;
}

/**
 * A node on which the replica could get room from others without asking anything of a workload that
 * bounds what is taken from it. There may be more; these are the ones that can be demanded.
 */
export const preemptableNode = perLike((objects, replica): Node | undefined => {
  const isOpen = feasibleButForRoom(objects, replica);
  return [...objects.all("Node").values()].find((node) => {
    if (!isOpen(node)) return false;
    const victims = [...objects.replicasOn(node.meta.name).values()].filter(
      (victim) =>
        victim.status.stopping === undefined &&
        workloadOf(objects, victim)?.spec.disruption === undefined &&
        mayNotTake(objects, replica, victim) === undefined,
    );
    const gone = new Set(victims.map(({ key }) => key));
    return victims.length > 0 && hasRoomWithout(objects, node, replica, { replicas: gone });
  });
});
