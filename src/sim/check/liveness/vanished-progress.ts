/** Replicas and leases of nodes whose objects were deleted under them, which have to go. */
import { nodeKey, type ObjectKey, tenantKey, workloadKey } from "../../../core/model/ids.ts";
import type { Truth } from "../checker.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * Two minutes until the lease is over by any clock, counted anew by a controller that was restarted
 * just before the world healed, and the patience of any repair. Written out, not imported.
 */
const PATIENCE_MS = 120_000 + 120_000;

/**
 * A replica that keeps running when disconnected may run on a deleted node for ever, and only a
 * person can know. Its workload and tenant cannot go before it does.
 */
export function forAPerson({ objects }: Truth): ReadonlySet<ObjectKey> {
  const keys = new Set<ObjectKey>();
  for (const { key, meta, spec, status } of objects.all("Replica").values()) {
    const { node } = status;
    if (node === undefined || spec.template.onDisconnect === "stop") continue;
    if (objects.node(nodeKey(node)) !== undefined) continue;
    keys.add(key).add(workloadKey(meta.namespace, spec.workload)).add(tenantKey(meta.namespace));
  }
  // Only the owner of a foreign finalizer removes it.
  for (const { key, meta } of objects.all("Tenant").values()) {
    if (meta.finalizers.some((finalizer) => !finalizer.startsWith("berth.dev/"))) keys.add(key);
  }
  return keys;
}

export function* leftOfVanishedNodes({ objects }: Truth): Iterable<Unfinished> {
  for (const { key, spec, status } of objects.all("Replica").values()) {
    const { node } = status;
    if (node === undefined || objects.node(nodeKey(node)) !== undefined) continue;
    // Only a person may release a replica that keeps running when disconnected.
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
