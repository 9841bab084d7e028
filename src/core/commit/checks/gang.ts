/**
 * A gang runs whole or not at all: a commit that binds one of it leaves none of it without a node
 * (GA1). There is no partial hold to wait in, so two gangs can never block each other half way.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { gangMembers } from "../../observe/gang-members.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

export function gangIncomplete(
  context: CommitContext,
  bound: readonly Replica[],
): Rejection | undefined {
  const { objects } = context.ledger;
  const gangs = new Set<Workload>();
  let last: ObjectKey | undefined;
  for (const replica of bound) {
    const key = workloadOf(replica);
    // The binds of one command are mostly of one workload.
    if (key === last) continue;
    last = key;
    const workload = objects.workload(key);
    if (workload?.spec.gang !== undefined) gangs.add(workload);
  }
  for (const gang of gangs) {
    const { queued, missing } = gangMembers(gang, objects);
    const index = missing[0] ?? queued.find((member) => !bound.includes(member))?.spec.index;
    if (index === undefined) continue;
    const expected = "every member bound with it";
    return reject(
      "gang-incomplete",
      gang.key,
      expected,
      `index ${index} has no node and gets none`,
    );
  }
  return undefined;
}
