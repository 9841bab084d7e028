/** The nodes, tenants and workloads of a placing benchmark. */
import {
  type Manifest,
  nodeManifest,
  type NodeSize,
  tenantManifests,
  workloadManifest,
} from "../measure/manifests.ts";
import type { PlaceTask } from "./place-task.ts";

/**
 * Large enough that a million replicas of the sizes below fit on 5,000 nodes with a quarter to
 * spare.
 */
export const PLACE_NODE: NodeSize = { cpu: "128", memory: "512Gi" };

/** Workloads differ, or a scheduler that knows one size would look faster than it is. */
const SIZES: readonly NodeSize[] = [
  { cpu: "100m", memory: "256Mi" },
  { cpu: "250m", memory: "512Mi" },
  { cpu: "500m", memory: "1Gi" },
  { cpu: "1", memory: "2Gi" },
];

export const PLACE_ZONES = ["zone-1", "zone-2", "zone-3"] as const;
const TENANTS = ["red", "green", "blue", "grey"] as const;

/** What a full node of the smallest kind of work could hold on average of all sizes. */
export const REPLICAS_A_NODE = 270;

export const placeTenants = (): readonly Manifest[] => TENANTS.flatMap(tenantManifests);

export const placeNode = (at: number): Manifest =>
  nodeManifest(`node-${at}`, PLACE_ZONES[at % PLACE_ZONES.length] ?? "", PLACE_NODE);

/** One after the other: tenants and sizes take turns. */
export function* placeWorkloads(
  of: Pick<PlaceTask, "replicas" | "each" | "policy">,
): Generator<Manifest> {
  const { replicas, each, policy } = of;
  for (let at = 0; at * each < replicas; at += 1) {
    yield workloadManifest(`bench-${at}`, {
      tenant: TENANTS[at % TENANTS.length] ?? "",
      replicas: Math.min(each, replicas - at * each),
      resources: SIZES[Math.floor(at / TENANTS.length) % SIZES.length] ?? PLACE_NODE,
      ...(policy === undefined ? {} : { more: { placement: { policy } } }),
    });
  }
}
