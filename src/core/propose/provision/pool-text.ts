/** What is concluded about a pool, in words: who is helped by another node, and of all others why no machine helps (PN7). */
import type { Because } from "../../protocol/decision.ts";
import type { NodePool } from "../../model/objects.ts";
import type { PoolBound } from "../../rules/provision/pool-bound.ts";
import type { NoMachine, PoolNeed } from "../../rules/provision/pool-need.ts";

const WHY: Readonly<Record<NoMachine, string>> = {
  quota: "wait for quota: no machine helps",
  starting: "have a node and are slow to serve: no machine helps",
  "too-soon": "have not waited for long enough",
  "stale-view": "have room on a node that is there: a view is behind",
  "room-held": "have room that is held for them",
  topology: "may not be on a node like these",
  expected: "fit on nodes that are expected",
  gang: "are of a gang that the pool cannot make whole",
  override: "are held back by an override",
};

/** e.g. "NodePool//eu-large: 3 of Workload/payments/api have nowhere to go; 12 wait for quota: no machine helps" */
export function needText(pool: NodePool, need: PoolNeed, bound: PoolBound | undefined): string {
  const helped = need.helped.map(({ workload, count }) => `${count} of ${workload}`).join(", ");
  const parts = [
    helped === "" ? "nobody waits for a machine" : `${helped} have nowhere to go`,
    ...(bound === undefined || helped === "" ? [] : [`not asked for: ${bound.words}`]),
    ...[...need.refused].map(([why, { count }]) => `${count} ${WHY[why]}`),
  ];
  return `${pool.key}: ${parts.join("; ")}`;
}

export const rejectedText = ({ refused }: PoolNeed): NonNullable<Because["rejected"]> =>
  Object.fromEntries([...refused].map(([why, of]) => [why, { ...of }]));
