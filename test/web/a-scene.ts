/**
 * Something of everything that a dashboard shows, on seven nodes in three zones:
 *
 * | what | is |
 * |---|---|
 * | node `eu-a-1` … `eu-b-2` | ready; `eu-b-2` is cordoned by alice |
 * | node `us-a-1` | fenced: it fell silent, and what ran there was replaced |
 * | node `us-a-2`, `us-a-3` | ready, beside the one that died |
 * | `payments/api` | serves with 4 of 4 |
 * | `payments/checkout` | in the middle of a rollout that waits for its first new replica |
 * | `payments/web` | 3 replicas that start and do not become ready |
 * | `research/training` | pending: asks for more than any node has |
 * | `research/etl` | pending: its tenant's quota is used up |
 * | `research/indexer` | serves with 2 of 2, which were on `us-a-1` before |
 */
import type { ApiObject } from "../../src/api/api-kind.ts";
import { holdsNode } from "../../src/core/model/stage.ts";
import type { Dashboard } from "./a-dashboard.ts";

const object = (
  kind: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
  namespace?: string,
): ApiObject => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec,
});

export const aNode = (name: string, of: { readonly cpu?: number } = {}): ApiObject => {
  const zone = name.slice(0, name.lastIndexOf("-"));
  const capacity = { cpu: of.cpu ?? 4, memory: "8Gi" };
  return object("Node", name, { region: zone.split("-")[0], zone, capacity });
};

/** `name` is `tenant/workload`. */
export function aWorkload(name: string, of: Readonly<Record<string, unknown>> = {}): ApiObject {
  const [tenant = "", workload = ""] = name.split("/");
  const resources = { cpu: "500m", memory: "256Mi" };
  const spec = { replicas: 1, resources, run: { command: ["serve"] }, ...of };
  return object("Workload", workload, spec, tenant);
}

export const aTenant = (
  name: string,
  limit: Readonly<Record<string, unknown>>,
): readonly ApiObject[] => [
  object("Tenant", name, { displayName: name }),
  object("Quota", "default", { limit }, name),
];

const NODES = ["eu-a-1", "eu-a-2", "eu-b-1", "eu-b-2", "us-a-1", "us-a-2", "us-a-3"];
/** A spread over racks, which no node names: replicas share nodes (PR5). */
const PACKED = { spread: [{ by: "rack", soft: true }] };
const ROLLOUT = { maxSurge: 1, maxUnavailable: 0, deadline: "30m" };

/** Ends in the present, where everything is some minutes old, unless a test has more that is to be past. */
export async function furnish(
  dashboard: Dashboard,
  { stayInPast = false }: { readonly stayInPast?: boolean } = {},
): Promise<void> {
  const { agents } = dashboard;
  await dashboard.apply(
    ...NODES.map((name) => aNode(name)),
    ...aTenant("payments", { cpu: 16, memory: "16Gi" }),
    ...aTenant("research", { cpu: 11, memory: "12Gi" }),
    object("PriorityClass", "critical", { value: 1_000 }),
  );
  agents.letComeTo("payments/web", "starting");
  await dashboard.apply(
    aWorkload("payments/api", { replicas: 4, priorityClass: "critical", placement: PACKED }),
    aWorkload("payments/checkout", { replicas: 3, rollout: ROLLOUT, placement: PACKED }),
    aWorkload("payments/web", { replicas: 3, placement: PACKED }),
    aWorkload("research/indexer", { replicas: 2, placement: { zones: ["us-a"], ...PACKED } }),
    aWorkload("research/training", { resources: { cpu: 10, memory: "4Gi" } }),
  );
  await serving(dashboard, "payments", "api", 4);
  await serving(dashboard, "payments", "checkout", 3);
  await serving(dashboard, "research", "indexer", 2);
  await dashboard.apply(aWorkload("research/etl", { resources: { cpu: 2, memory: "4Gi" } }));
  await dashboard.letPass(120_000);
  await beginRollout(dashboard);
  await dashboard.write({
    method: "PATCH",
    path: "/apis/berth.dev/v1/nodes/eu-b-2",
    body: { spec: { cordons: [{ holder: "alice", reason: "a disk is to be changed" }] } },
    as: "alice",
  });
  await dashboard.fallSilent("us-a-1");
  await serving(dashboard, "research", "indexer", 2);
  if (!stayInPast) await dashboard.catchUp();
}

async function beginRollout(dashboard: Dashboard): Promise<void> {
  dashboard.agents.letComeTo("payments/checkout", "starting");
  await dashboard.write({
    method: "PATCH",
    path: "/apis/berth.dev/v1/namespaces/payments/workloads/checkout",
    body: { spec: { run: { command: ["serve", "--release", "2"] } } },
    as: "bob",
  });
  await dashboard.until(
    "the rollout to begin",
    () =>
      replicasOf(dashboard, "payments", "checkout").some(
        ({ spec, status }) => spec.generation > 1 && status.stage === "starting",
      ) || undefined,
  );
}

const replicasOf = ({ plane }: Dashboard, tenant: string, workload: string) =>
  [...plane.objects.all("Replica").values()].filter(
    ({ meta, spec }) => meta.namespace === tenant && spec.workload === workload,
  );

/** Resolves when so many of a workload serve. */
export async function serving(
  dashboard: Dashboard,
  tenant: string,
  workload: string,
  count: number,
): Promise<void> {
  await dashboard.until(`${count} of ${tenant}/${workload} to serve`, () => {
    const all = replicasOf(dashboard, tenant, workload);
    const serve = all.filter(({ status }) => holdsNode(status.stage) && status.stage === "serving");
    return serve.length >= count || undefined;
  });
}
