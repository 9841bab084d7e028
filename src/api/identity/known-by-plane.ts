/** What the log of a plane says about those who ask: which nodes and which processes there are. */
import { nodeKey } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { KnownByPlane } from "../http/authenticate.ts";
import type { IsNode } from "./certificates.ts";
import { runsIn } from "./routes-workload-identity.ts";
import type { Voucher } from "./voucher.ts";
import type { WorkloadIdentities } from "./workload-identities.ts";

/** On a follower, which may not know yet that a node was made, its agent tries again. */
export const isNodeOf =
  ({ objects }: PlanePort): IsNode =>
  (name, uid) =>
    objects.get(nodeKey(name))?.meta.uid === uid;

export function knownBy(
  plane: PlanePort,
  identities: WorkloadIdentities | undefined,
  voucher: Voucher | undefined,
): KnownByPlane {
  const isNode = isNodeOf(plane);
  if (identities === undefined) return { isNode, voucher, own: [] };
  const runs = runsIn(plane);
  return { isNode, voucher, own: [{ find: (token) => identities.find(token, runs) }] };
}
