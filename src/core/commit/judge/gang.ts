/**
 * A gang runs whole or not at all: a commit that binds one of it leaves none of it without a node (GA1). There
 * is no partial hold to wait in, so two gangs can never block each other half way.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { Workload } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { gangMembers } from "../../observe/gang-members.ts";
import type { Binding } from "../command.ts";
import { type Bench, no, type No } from "../verdict.ts";

export function gangIncomplete(bench: Bench, bindings: readonly Binding[]): No | undefined {
  const { objects } = bench.ledger;
  const bound = new Set<ObjectKey>();
  const gangs = new Set<Workload>();
  for (const { replica: key } of bindings) {
    bound.add(key);
    const replica = objects.replica(key);
    const workload = replica && objects.workload(workloadOf(replica));
    if (workload?.spec.gang !== undefined) gangs.add(workload);
  }
  for (const gang of gangs) {
    const { queued, missing } = gangMembers(gang, objects);
    const slot = missing[0] ?? queued.find(({ key }) => !bound.has(key))?.spec.slot;
    if (slot === undefined) continue;
    const expected = "every member bound with it";
    return no("gang-incomplete", gang.key, expected, `slot ${slot} has no node and gets none`);
  }
  return undefined;
}
