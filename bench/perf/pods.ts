/**
 * The pods of the original templates, as workloads. Counts and sizes are theirs, the words are
 * Berth's.
 */
import type { Group } from "../path/path-task.ts";

type Pod = Group["of"];

export const TENANTS = ["sched-0", "sched-1"] as const;
const [FIRST, SECOND] = TENANTS;

export const NODE_SIZE = { cpu: "4", memory: "32Gi" } as const;

const DEFAULT = { cpu: "100m", memory: "500Mi" };

/** In the original every pod is made by itself, so here every measured workload has one replica. */
export const plainPod: Pod = { tenant: FIRST, resources: DEFAULT };

export const lowPod: Pod = { tenant: FIRST, resources: { cpu: "900m", memory: "500Mi" } };

export const PRIORITIES = [{ name: "high", value: 10 }] as const;

export const highPod: Pod = {
  tenant: FIRST,
  resources: { cpu: "3", memory: "500Mi" },
  more: { priorityClass: "high" },
};

/** Larger than any node: it never finds a place. */
export const hopelessPod: Pod = {
  tenant: FIRST,
  resources: { cpu: "9", memory: "500Mi" },
  more: { priorityClass: "high" },
};

type Tenant = (typeof TENANTS)[number];

function withAffinity(tenant: Tenant, color: string, affinity: Record<string, unknown>): Pod {
  return {
    tenant,
    resources: DEFAULT,
    labels: { color },
    more: { placement: { affinity } },
  };
}

const term = (color: string, by: string) => ({ by, labels: { color }, tenants: [...TENANTS] });
const weighted = (color: string, by: string) => ({ ...term(color, by), weight: 1 });

/** Never two on one node. */
export const apartPod = (tenant: Tenant): Pod =>
  withAffinity(tenant, "green", { antiRequired: [term("green", "node")] });

/** Says nothing itself, and is what the ones above stay away from. */
export const greenPod: Pod = { tenant: SECOND, resources: DEFAULT, labels: { color: "green" } };

/** Always in the zone of the others. */
export const togetherPod = (tenant: Tenant): Pod =>
  withAffinity(tenant, "blue", { required: [term("blue", "zone")] });

export const ratherTogetherPod = (tenant: Tenant): Pod =>
  withAffinity(tenant, "red", { preferred: [weighted("red", "node")] });

export const ratherApartPod = (tenant: Tenant): Pod =>
  withAffinity(tenant, "yellow", { antiPreferred: [weighted("yellow", "node")] });

export const zonePod: Pod = {
  tenant: FIRST,
  resources: DEFAULT,
  more: { placement: { zones: ["zone1", "zone2"] } },
};

/** Counted among the replicas of one workload, so these are replicas of one. */
export const spreadPod = (soft: boolean): Pod => ({
  tenant: FIRST,
  resources: DEFAULT,
  more: { placement: { spread: [{ by: "zone", maxSkew: 5, ...(soft ? { soft } : {}) }] } },
});

export const gangPod: Pod = {
  tenant: FIRST,
  resources: { cpu: "100m", memory: "100Mi" },
  more: { gang: { deadline: "60s" } },
};
