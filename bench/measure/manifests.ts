/**
 * The objects of benchmarks, as a user would write them. They pass the same schema as those of
 * users, so a benchmark keeps its meaning when the core's own form of an object changes.
 */
import { API_VERSION } from "../../src/api/group-version.ts";

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** More than all nodes of any benchmark together: quota is accounted and never runs out. */
const PLENTY = { cpu: "1000000000", memory: "1000000000Gi" };

/** A benchmark measures the plane, not its defaults: no tenant and no node meets a count. */
const MANY = { replicas: 10_000_000, workloads: 10_000_000 };
const REPLICAS_A_NODE = 10_000;

const manifest = (
  kind: string,
  metadata: Manifest["metadata"],
  spec: Manifest["spec"],
): Manifest => ({ apiVersion: API_VERSION, kind, metadata, spec });

export const tenantManifests = (name: string): readonly Manifest[] => [
  manifest("Tenant", { name }, {}),
  manifest("Quota", { name: "default", namespace: name }, { limit: PLENTY, counts: MANY }),
];

export const priorityClassManifest = (name: string, value: number): Manifest =>
  manifest("PriorityClass", { name }, { value });

export interface NodeSize {
  readonly cpu: string;
  readonly memory: string;
}

export const nodeManifest = (name: string, zone: string, capacity: NodeSize): Manifest =>
  manifest(
    "Node",
    { name, labels: { zone } },
    {
      region: "bench",
      zone,
      capacity,
      maxReplicas: REPLICAS_A_NODE,
    },
  );

export interface WorkloadParts {
  readonly tenant: string;
  readonly replicas: number;
  readonly resources: NodeSize;
  readonly labels?: Readonly<Record<string, string>>;
  /** Anything else of `spec`, such as placement or priorityClass. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export const workloadManifest = (name: string, of: WorkloadParts): Manifest =>
  manifest(
    "Workload",
    { name, namespace: of.tenant, ...(of.labels === undefined ? {} : { labels: of.labels }) },
    {
      replicas: of.replicas,
      resources: of.resources,
      run: { command: ["true"] },
      ...of.more,
    },
  );
