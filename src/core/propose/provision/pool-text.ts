/**
 * What is concluded about a pool, in words: who is helped by another node, and of all others why no
 * machine helps (PN7).
 */
import type { Because } from "../../protocol/decision.ts";
import type { NodePool } from "../../model/objects.ts";
import type { PoolBound } from "../../rules/provision/pool-bound.ts";
import type { NoMachine, PoolNeed } from "../../rules/provision/pool-need.ts";

const WHY: Readonly<Record<NoMachine, string>> = {
  quota: "wait for quota: a new node does not help",
  starting: "have a node and start slowly: a new node does not help",
  "too-soon": "have not waited long enough",
  "stale-view": "fit on an existing node: the view is behind",
  "room-held": "have reserved room",
  topology: "may not run on nodes of this pool",
  provisioning: "fit on provisioning nodes",
  gang: "belong to a gang that the pool cannot complete",
  secret: "a secret that they need is missing",
  override: "are held back by an override",
};

/**
 * e.g. "NodePool//eu-large: 3 of Workload/payments/api fit on no node; 12 wait for quota: a new
 * node does not help"
 */
export function needText(pool: NodePool, need: PoolNeed, bound: PoolBound | undefined): string {
  const helped = need.helped.map(({ workload, count }) => `${count} of ${workload}`).join(", ");
  const parts = [
    helped === "" ? "no replica needs a new node" : `${helped} fit on no node`,
    ...(bound === undefined || helped === "" ? [] : [`not requested: ${bound.words}`]),
    ...[...need.refused].map(([why, { count }]) => `${count} ${WHY[why]}`),
  ];
  return `${pool.key}: ${parts.join("; ")}`;
}

export const rejectedText = ({ refused }: PoolNeed): NonNullable<Because["rejected"]> =>
  Object.fromEntries([...refused].map(([why, of]) => [why, { ...of }]));
