/**
 * Where a workload is: its address in the API, its name for people, and the commands that do what
 * the page does.
 */
import { BERTH } from "../live/api.ts";

export interface WorkloadName {
  readonly tenant: string;
  readonly name: string;
}

export const workloadPath = ({ tenant, name }: WorkloadName): string =>
  `${BERTH}/namespaces/${encodeURIComponent(tenant)}/workloads/${encodeURIComponent(name)}`;

export const replicasPath = (tenant: string): string =>
  `${BERTH}/namespaces/${encodeURIComponent(tenant)}/replicas`;

export function eventsPath({ tenant, name }: WorkloadName): string {
  const fieldSelector = `involvedObject.kind=Workload,involvedObject.name=${name}`;
  const query = new URLSearchParams({ fieldSelector });
  return `/api/v1/namespaces/${encodeURIComponent(tenant)}/events?${query.toString()}`;
}

/**
 * e.g. `commandFor(of, "rollout undo", "--to", "1")` → "berth rollout undo workload/api -n payments
 * --to 1"
 */
export const commandFor = (
  { tenant, name }: WorkloadName,
  verb: string,
  ...more: readonly string[]
): string => ["berth", verb, `workload/${name}`, "-n", tenant, ...more].join(" ");
