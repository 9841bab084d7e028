/**
 * The objects of a running cluster, as a dump: every kind that an import reads, page by page. Kinds
 * that the API does not serve, or does not let the caller read, are told; secrets and config maps
 * are never asked for.
 */
import { UserError } from "../../shell/errors.ts";
import { KubeDump } from "../kubernetes/dump.ts";
import type { ClusterClient } from "./cluster-client.ts";
import { LIVE_IMPORT_LIMITS } from "./live-limits.ts";

export interface ReadCluster {
  readonly dump: KubeDump;
  /** Why a kind is missing, such as "resourceclaims: not served". */
  readonly missing: readonly string[];
}

interface Resource {
  readonly kind: string;
  readonly plural: string;
  /** The first that the API serves is read. */
  readonly versions: readonly [string, ...string[]];
}

const CORE = ["/api/v1"] as const;
const APPS = ["/apis/apps/v1"] as const;
const DEVICES = ["v1", "v1beta2", "v1beta1"].map((version) => `/apis/resource.k8s.io/${version}`);
const [NEWEST_DEVICES = "", ...OLDER_DEVICES] = DEVICES;

const RESOURCES: readonly Resource[] = [
  { kind: "Node", plural: "nodes", versions: CORE },
  { kind: "Pod", plural: "pods", versions: CORE },
  { kind: "Namespace", plural: "namespaces", versions: CORE },
  { kind: "ReplicationController", plural: "replicationcontrollers", versions: CORE },
  { kind: "PersistentVolume", plural: "persistentvolumes", versions: CORE },
  { kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims", versions: CORE },
  { kind: "ResourceQuota", plural: "resourcequotas", versions: CORE },
  { kind: "LimitRange", plural: "limitranges", versions: CORE },
  { kind: "Deployment", plural: "deployments", versions: APPS },
  { kind: "ReplicaSet", plural: "replicasets", versions: APPS },
  { kind: "StatefulSet", plural: "statefulsets", versions: APPS },
  { kind: "DaemonSet", plural: "daemonsets", versions: APPS },
  { kind: "Job", plural: "jobs", versions: ["/apis/batch/v1"] },
  { kind: "CronJob", plural: "cronjobs", versions: ["/apis/batch/v1"] },
  { kind: "PodDisruptionBudget", plural: "poddisruptionbudgets", versions: ["/apis/policy/v1"] },
  {
    kind: "PriorityClass",
    plural: "priorityclasses",
    versions: ["/apis/scheduling.k8s.io/v1"],
  },
  { kind: "StorageClass", plural: "storageclasses", versions: ["/apis/storage.k8s.io/v1"] },
  { kind: "CSINode", plural: "csinodes", versions: ["/apis/storage.k8s.io/v1"] },
  ...[
    ["ResourceSlice", "resourceslices"],
    ["ResourceClaim", "resourceclaims"],
    ["DeviceClass", "deviceclasses"],
  ].map(([kind = "", plural = ""]): Resource => ({
    kind,
    plural,
    versions: [NEWEST_DEVICES, ...OLDER_DEVICES],
  })),
  {
    kind: "HorizontalPodAutoscaler",
    plural: "horizontalpodautoscalers",
    versions: ["/apis/autoscaling/v2"],
  },
];

/** An import without these says nothing. */
const NEEDED: ReadonlySet<string> = new Set(["Node", "Pod"]);

/** `told` is called before each kind, and with each page. */
export async function readCluster(
  client: ClusterClient,
  told: (plural: string, objects: number) => void = () => {},
): Promise<ReadCluster> {
  const dump = new KubeDump();
  const missing: string[] = [];
  for (const resource of RESOURCES) {
    told(resource.plural, 0);
    const why = await readAll(client, resource, { dump, told });
    if (why === undefined) continue;
    if (NEEDED.has(resource.kind)) {
      throw new UserError(
        "request-refused",
        `The API of the cluster does not list ${resource.plural}: ${why}. ` +
          "An import needs the right to list nodes and pods of all namespaces.",
      );
    }
    missing.push(`${resource.plural}: ${why}`);
  }
  return { dump, missing };
}

interface Target {
  readonly dump: KubeDump;
  readonly told: (plural: string, objects: number) => void;
}

/** Undefined: it was read; else why not. */
async function readAll(
  client: ClusterClient,
  resource: Resource,
  target: Target,
): Promise<string | undefined> {
  for (const version of resource.versions) {
    const status = await readList(client, `${version}/${resource.plural}`, { resource, ...target });
    if (status === OK) return undefined;
    if (status === FORBIDDEN || status === UNAUTHORIZED) return `not permitted (${status})`;
    if (status !== NOT_FOUND) return `status ${status}`;
  }
  return "not served";
}

const OK = 200;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** The page token is too old for the server: the list begins anew. */
const GONE = 410;

async function readList(
  client: ClusterClient,
  path: string,
  { resource, dump, told }: Target & { readonly resource: Resource },
): Promise<number> {
  const { attempts, pageObjects } = LIVE_IMPORT_LIMITS;
  for (let attempt = 1; ; attempt += 1) {
    const pages: Page[] = [];
    let status = OK;
    for (let token: string | undefined = ""; token !== undefined;) {
      const query = new URLSearchParams({ limit: `${pageObjects.value}` });
      if (token !== "") query.set("continue", token);
      const answer = await client.get(`${path}?${query.toString()}`);
      ({ status } = answer);
      if (status !== OK) break;
      const page = readPage(answer.body, path);
      pages.push(page);
      told(resource.plural, page.items.length);
      const next = page.metadata?.continue ?? "";
      token = next === "" ? undefined : next;
    }
    if (status === OK) {
      for (const { items } of pages) dump.add({ kind: `${resource.kind}List`, items }, path);
    }
    if (status !== GONE || attempt >= attempts.value) return status;
  }
}

interface Page {
  readonly items: readonly unknown[];
  readonly metadata?: { readonly continue?: string };
}

function readPage(body: string, path: string): Page {
  const wrong = (why: string): UserError =>
    new UserError("request-refused", `The answer to ${path} ${why}: is this a Kubernetes API?`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw wrong("is not JSON");
  }
  if (typeof value !== "object" || value === null || !("items" in value)) throw wrong("is no list");
  const { items, metadata } = value as { items: unknown; metadata?: Page["metadata"] };
  // Go writes an empty list as null.
  if (items !== null && !Array.isArray(items)) throw wrong("is no list");
  return { items: items ?? [], ...(metadata === undefined ? {} : { metadata }) };
}
