/** A replica on its way, step by step, as the components that own each step would take them. */
import { type ObjectKey, replicaKey, workloadKey } from "../../src/core/model/ids.ts";
import { aNodeObject, type Api, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

export const workload = workloadKey("payments", "api");
export const replica = replicaKey({
  tenant: "payments",
  workload: "api",
  generation: 1,
  index: 0,
});

/** Quota, node and workload, and one replica bound to the node. */
export async function bind(api: Api): Promise<void> {
  await api.post(`${BERTH}/namespaces/payments/quotas`, {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default" },
    spec: { limit: { cpu: 4, memory: "4Gi" } },
  });
  await api.post(`${BERTH}/nodes`, aNodeObject());
  await api.post(WORKLOADS, aWorkloadObject("api"));
  await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
  await api.send({ kind: "admit", workload, generation: 1, index: 0, incarnation: 1 }, "admit");
  await api.send({ kind: "reserve", replica, incarnation: 1, deadlineMs: 1_000 }, "admit");
  const reservation = "Reservation/payments/api.1.0.1" as ObjectKey;
  const queue = { key: replica, from: "admitted", to: "queued", reservation } as const;
  await api.send({ kind: "transition", incarnation: 1, ...queue }, "admit");
  await api.send({ kind: "bind", replica, incarnation: 1, node: "a-1", deviceIds: [] }, "place");
}

export async function serve(api: Api): Promise<void> {
  for (const stage of ["starting", "ready", "serving"] as const) {
    const address = { host: "10.0.0.1", ports: { http: 8080 } };
    await api.send(
      { kind: "report", replica, incarnation: 1, node: "a-1", session: 1, stage, address },
      "agent",
    );
  }
}
