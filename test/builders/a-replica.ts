/** `Replica/payments/api.1.0`, admitted, in its first incarnation, of the workload that `aWorkload()` makes. */
import { replicaKey, type Uid, workloadKey } from "../../src/core/model/ids.ts";
import type { Meta, Replica, ReplicaSpec, ReplicaStatus } from "../../src/core/model/objects.ts";
import { aMeta } from "./a-meta.ts";
import { aTemplate, type TemplateParts } from "./a-template.ts";

export type ReplicaParts = TemplateParts &
  Partial<Omit<ReplicaSpec, "template">> &
  Partial<ReplicaStatus> &
  Partial<Pick<Meta, "uid" | "revision">> & { readonly tenant?: string };

export function aReplica(of: ReplicaParts = {}): Replica {
  const { tenant = "payments", workload = "api", generation = 1, index = 0 } = of;
  const key = replicaKey({ tenant, workload, generation, index });
  const meta = aMeta(key);
  return {
    kind: "Replica",
    key,
    meta: { ...meta, uid: of.uid ?? meta.uid, revision: of.revision ?? 1 },
    spec: {
      workload,
      workloadUid: of.workloadUid ?? (`uid-of-${workloadKey(tenant, workload)}` as Uid),
      generation,
      index,
      type: of.type ?? "service",
      template: aTemplate(of),
    },
    status: aReplicaStatus(of),
  };
}

const aReplicaStatus = (of: Partial<ReplicaStatus>): ReplicaStatus => ({
  stage: of.stage ?? "admitted",
  stageSinceMs: of.stageSinceMs ?? 0,
  incarnation: of.incarnation ?? 1,
  failures: of.failures ?? 0,
  ...(of.lastEnd === undefined ? {} : { lastEnd: of.lastEnd }),
  node: of.node,
  session: of.session ?? (of.node === undefined ? 0 : 1),
  deviceIds: of.deviceIds ?? [],
  ...(of.rejections === undefined ? {} : { rejections: of.rejections }),
  ...(of.unready === undefined ? {} : { unready: of.unready }),
  ...(of.failingProbe === undefined ? {} : { failingProbe: of.failingProbe }),
  ...(of.superseded === undefined ? {} : { superseded: of.superseded }),
  ...(of.indexIncarnations === undefined ? {} : { indexIncarnations: of.indexIncarnations }),
  stopping: of.stopping,
  address: of.address,
});
