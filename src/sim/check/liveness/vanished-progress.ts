/** What is left of nodes whose objects were deleted under their replicas, and has to go. */
import { nodeKey, type ObjectKey, tenantKey, workloadKey } from "../../../core/model/ids.ts";
import type { Truth } from "../checker.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * Two minutes until the lease is over by any clock, counted anew by a controller that was restarted
 * just before the world healed, and the patience of any repair. Written out, not imported.
 */
const PATIENCE_MS = 120_000 + 120_000;

/**
 * What keeps running when disconnected and holds a deleted node may run there for ever, and only a
 * person can know; its workload and tenant cannot go before it does.
 */
export function forAPerson({ objects }: Truth): ReadonlySet<ObjectKey> {
  const keys = new Set<ObjectKey>();
  for (const { key, meta, spec, status } of objects.all("Replica").values()) {
    const { node } = status;
    if (node === undefined || spec.template.onDisconnect === "stop") continue;
    if (objects.node(nodeKey(node)) !== undefined) continue;
    keys.add(key).add(workloadKey(meta.namespace, spec.workload)).add(tenantKey(meta.namespace));
  }
  // A finalizer that others have put there is theirs to take off.
  for (const { key, meta } of objects.all("Tenant").values()) {
    if (meta.finalizers.some((finalizer) => !finalizer.startsWith("berth.dev/"))) keys.add(key);
  }
  return keys;
}

export function* leftOfVanishedNodes({ objects }: Truth): Iterable<Unfinished> {
  for (const { key, spec, status } of objects.all("Replica").values()) {
    const { node } = status;
    if (node === undefined || objects.node(nodeKey(node)) !== undefined) continue;
    // What keeps running when disconnected is a person's to let go.
    if (spec.template.onDisconnect === "keep") continue;
    yield {
      rule: "LIV12",
      key,
      stuckAs: `holds ${node} in incarnation ${status.incarnation}`,
      patienceMs: PATIENCE_MS,
      message: `${key} still holds ${node}, which was deleted.`,
    };
  }
  for (const { key, spec } of objects.all("Lease").values()) {
    if (objects.node(nodeKey(spec.node)) !== undefined) continue;
    if (objects.replicasOn(spec.node).size > 0) continue;
    const message = `${key} is left, and its node is gone.`;
    yield { rule: "LIV12", key, stuckAs: "left", patienceMs: PATIENCE_MS, message };
  }
}
