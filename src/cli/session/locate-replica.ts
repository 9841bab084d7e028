/** The replica of a session: the one that is named, or one of a workload that serves. */
import type { ShownList, ShownObject } from "../../steering/api-object.ts";
import { statusText } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "../client/api-client.ts";
import { locate, parseReference } from "../client/locate.ts";

export interface FoundReplica {
  /** Of the replica in the API. */
  readonly path: string;
  readonly name: string;
}

const NAMES_KIND = /^(?:workloads?|wl|replicas?)\//i;
/** Those with a process, the best first. */
const STAGES = ["serving", "running", "ready", "starting"];

/** `workload/NAME` and `replica/NAME` say their kind; a bare name, or TENANT/NAME, is a replica. */
export async function locateReplica(
  client: ApiClient,
  name: string,
  namespace: string | undefined,
): Promise<FoundReplica> {
  const words = [NAMES_KIND.test(name) ? name : `replica/${name}`];
  const target = await locate(client, parseReference(words, namespace));
  const folder = `/apis/berth.dev/v1/namespaces/${encodeURIComponent(target.namespace)}/replicas`;
  const at = (replica: string): FoundReplica => ({
    path: `${folder}/${encodeURIComponent(replica)}`,
    name: replica,
  });
  if (target.resource.kind !== "Workload") return at(target.name);
  const query = { fieldSelector: `spec.workload=${target.name}` };
  const { items } = await client.get<ShownList>(folder, { query });
  const best = items
    .filter((replica) => STAGES.includes(stageOf(replica)))
    .toSorted((a, b) => STAGES.indexOf(stageOf(a)) - STAGES.indexOf(stageOf(b)))[0];
  if (best !== undefined) return at(best.metadata.name);
  throw new UserError(
    "not-found",
    `Workload "${target.name}" has no replica with a process: \`berth explain workload ${target.name}\` says why.`,
  );
}

const stageOf = (replica: ShownObject): string => statusText(replica, "stage");
