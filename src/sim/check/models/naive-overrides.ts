/**
 * The overrides in force and their targets, computed a second time: plain comparisons over the
 * objects of one moment.
 */
import type { Node, Override, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";

/**
 * Overrides that no commit has released; with a time of the authority's clock, only those that have
 * not ended by it.
 */
export function* holdingAt(objects: ObjectIndex, atMs?: number): Iterable<Override> {
  for (const override of objects.all("Override").values()) {
    if (override.meta.deletingMs !== undefined) continue;
    if (atMs === undefined || override.status.untilMs > atMs) yield override;
  }
}

/** The override that keeps new work off the node. */
export function avoidedBy(overrides: Iterable<Override>, node: Node): Override | undefined {
  for (const override of overrides) {
    const { action, target } = override.spec;
    if (action === "avoid-node" && target.node === node.meta.name) return override;
    const isHere =
      target.zone === node.spec.zone &&
      (target.region === undefined || target.region === node.spec.region);
    if (action === "avoid-zone" && isHere) return override;
  }
  return undefined;
}

/** Whether an override on tenants, workloads or everything covers this workload. */
export function isAbout({ spec }: Override, tenant: string, workload: string): boolean {
  const { target } = spec;
  if (Object.values(target).every((name) => name === undefined)) return true;
  if (target.tenant === undefined || target.tenant !== tenant) return false;
  return target.workload === undefined || target.workload === workload;
}

/** The same for an override that may also name a place. */
export function isOver(override: Override, replica: Replica, objects: ObjectIndex): boolean {
  const { region, zone, node } = override.spec.target;
  const name = replica.status.node;
  if (node !== undefined) return node === name;
  if (region !== undefined || zone !== undefined) {
    const place = [...objects.all("Node").values()].find(({ meta }) => meta.name === name)?.spec;
    if (place === undefined) return false;
    return (region ?? place.region) === place.region && (zone ?? place.zone) === place.zone;
  }
  return isAbout(override, replica.meta.namespace, replica.spec.workload);
}

/** How many more replicas of the workload may be out of serving by overrides. */
export function raisedFor(
  overrides: Iterable<Override>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): number {
  let raised = 0;
  for (const override of overrides) {
    if (override.spec.action !== "raise-budget" || !isAbout(override, namespace, name)) continue;
    raised += override.spec.amount ?? 0;
  }
  return raised;
}
