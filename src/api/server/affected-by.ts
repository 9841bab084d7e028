/**
 * Which other objects look different after a change. A workload's status counts its replicas, a quota shows
 * what is used of it: nobody commits those numbers, so nobody but this list knows that they moved.
 */
import type { Change } from "../../core/commit/commit-record.ts";
import { nodeKey, type ObjectKey, quotaKey, regionKey, workloadKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";

const NOTHING: readonly ObjectKey[] = [];

export function affectedBy({ before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some === undefined) return NOTHING;
  switch (some.kind) {
    case "Replica": {
      const { namespace } = some.meta;
      const nodes = [...new Set([nodeOf(before), nodeOf(after)])];
      return [
        workloadKey(namespace, some.spec.workload),
        quotaKey(namespace),
        ...nodes.filter((node) => node !== undefined).map(nodeKey),
      ];
    }
    case "Reservation":
      return [quotaKey(some.spec.tenant)];
    case "Node":
      return before === undefined || after === undefined ? [regionKey(some.spec.region)] : NOTHING;
    default:
      return NOTHING;
  }
}

const nodeOf = (object: AnyObject | undefined): string | undefined =>
  object?.kind === "Replica" ? object.status.node : undefined;

/** Kinds that show something of others. */
export const SHOWS_OTHERS: ReadonlySet<AnyObject["kind"]> = new Set([
  "Workload",
  "Quota",
  "Node",
  "Region",
]);
