/** Keeps the replicas of a workload or of a node up to date. */
import { recordOf, type ShownObject, statusText, textOf } from "../../steering/api-object.ts";
import type { ApiClient } from "../client/api-client.ts";
import { mirror } from "../client/mirror.ts";
import type { Reading } from "./opened-sources.ts";
import type { ReplicaRow } from "./top-state.ts";

export async function readReplicas(client: ApiClient, of: Reading): Promise<void> {
  const { path, fieldSelector } = of.source;
  await mirror(client, {
    path,
    query: { fieldSelector },
    signal: of.signal,
    onChange: (replicas) =>
      of.tell({
        replicas: { rows: [...replicas.values()].map(rowOf), isLoading: false, note: "" },
      }),
  });
}

function rowOf(replica: ShownObject): ReplicaRow {
  const { metadata, spec, status } = replica;
  return {
    tenant: metadata.namespace ?? "",
    name: metadata.name,
    index: Number(spec?.["index"] ?? 0),
    stage: statusText(replica, "stage"),
    since: Date.parse(statusText(replica, "stageSince")),
    node: statusText(replica, "node"),
    restarts: Number(status?.["failures"] ?? 0),
    reason: statusText(replica, "reason"),
    message: statusText(replica, "message"),
    cause: causeOf(replica),
  };
}

/** A replica that runs well may have an end that is long past. */
function causeOf(replica: ShownObject): string {
  if (statusText(replica, "stage") === "failed") return statusText(replica, "lastEnd");
  return textOf(recordOf(replica.status?.["failingProbe"])["error"]);
}
