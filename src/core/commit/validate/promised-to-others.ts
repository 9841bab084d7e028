/**
 * A tenant's promises are about its own workloads: what a review finds of another tenant's would
 * tell it about the other one (CM2).
 */
import { type CommitmentSpec, FLEET_NAMESPACE, promisedWorkload } from "../../model/commitment.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function promisedToOthers(key: ObjectKey, spec: CommitmentSpec): Rejection | undefined {
  const { namespace } = parseKey(key);
  if (namespace === FLEET_NAMESPACE) return undefined;
  const named = [
    ...(["recover", "keepServing", "headroom"] as const).flatMap((kind) => {
      const workload = spec[kind]?.workload;
      if (workload === undefined) return [];
      return [{ field: `${kind}.workload`, tenant: promisedWorkload(workload, namespace).tenant }];
    }),
    { field: "isolation.tenant", tenant: spec.isolation?.tenant ?? namespace },
  ];
  const other = named.find(({ tenant }) => tenant !== namespace);
  if (other === undefined) return undefined;
  const expected = `${namespace}, or namespace ${FLEET_NAMESPACE} for the promise`;
  return reject("bad-object", `${key} spec.${other.field}`, expected, other.tenant);
}
