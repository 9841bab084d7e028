/** The levels that rows and keys open. */
import type { Opening } from "./top-state.ts";

const BASE = "/apis/berth.dev/v1";

const replicasIn = (tenant: string): string =>
  `${BASE}/namespaces/${encodeURIComponent(tenant)}/replicas`;

/** `workload` is tenant/name. */
export function replicasOfWorkload(workload: string): Opening {
  const at = workload.indexOf("/");
  const fieldSelector = `spec.workload=${workload.slice(at + 1)}`;
  const source = { path: replicasIn(workload.slice(0, at)), fieldSelector };
  return { pane: "replicas", title: `replicas of ${workload}`, source, at: 0 };
}

export const replicasOnNode = (node: string): Opening => ({
  pane: "replicas",
  title: `replicas on ${node}`,
  source: { path: `${BASE}/replicas`, fieldSelector: `status.node=${node}` },
  at: 0,
});

export const logOfReplica = (tenant: string, name: string): Opening => ({
  pane: "log",
  title: `log of ${tenant}/${name}`,
  source: { path: replicasIn(tenant), fieldSelector: `metadata.name=${name}` },
  at: Number.POSITIVE_INFINITY,
});

export const HELP: Opening = { pane: "help", title: "keys", at: 0 };
