/**
 * How many replicas of each generation of each workload serve, kept from the changes of a view. It
 * lets the rollout controller skip a workload until all of it serve for the first time, however
 * many replicas it has.
 */
import type { Change } from "../../protocol/commit-record.ts";
import type { ObjectKey } from "../../model/ids.ts";
import { type AnyObject, type Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { isAvailable } from "../../model/availability.ts";

export class ServingCounts {
  private readonly counts = new Map<ObjectKey, Map<number, number>>();

  follow({ before, after }: Pick<Change, "before" | "after">): void {
    const was = servingService(before);
    const is = servingService(after);
    // Of all changes there are, hardly any begins or ends to serve.
    if (was !== undefined && is !== undefined && was.meta.uid === is.meta.uid) return;
    if (was !== undefined) this.add(was, -1);
    if (is !== undefined) this.add(is, 1);
  }

  of(workload: ObjectKey, generation: number): number {
    return this.counts.get(workload)?.get(generation) ?? 0;
  }

  private add(replica: Replica, sign: 1 | -1): void {
    const key = workloadOf(replica);
    const { generation } = replica.spec;
    const counts = this.counts.get(key) ?? new Map<number, number>();
    const count = (counts.get(generation) ?? 0) + sign;
    if (count > 0) counts.set(generation, count);
    else counts.delete(generation);
    if (counts.size > 0) this.counts.set(key, counts);
    else this.counts.delete(key);
  }
}

function servingService(object: AnyObject | undefined): Replica | undefined {
  if (object?.kind !== "Replica" || object.spec.type !== "service") return undefined;
  return isAvailable(object) ? object : undefined;
}
