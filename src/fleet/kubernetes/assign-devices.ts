/**
 * Gives the replicas of each node single devices, as Berth does; Kubernetes only knows how many.
 * Whole devices come first, then large shares, so that a mix that fits is found to fit more often.
 */
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Replica } from "../../core/model/objects.ts";
import { chooseDevices } from "../../core/rules/feasibility/devices.ts";

/** Folds what it gives into the index; a replica that gets none is left as it is. */
export function assignDevices(index: ObjectIndex): void {
  const asking = [...index.all("Replica").values()].filter(
    ({ spec, status }) => spec.template.ask.device !== undefined && status.node !== undefined,
  );
  for (const replica of asking.toSorted(byShare)) {
    const node = index.nodeNamed(replica.status.node ?? "");
    if (node === undefined) continue;
    const { ask } = replica.spec.template;
    const deviceIds = chooseDevices({ node, use: index.useOf(node.meta.name) }, ask);
    if (deviceIds.length < (ask.device?.count ?? 0)) continue;
    const after: Replica = { ...replica, status: { ...replica.status, deviceIds } };
    // Devices never change within a binding, so that the index would not look.
    index.fold({ key: replica.key, before: replica, after: undefined });
    index.fold({ key: replica.key, before: undefined, after });
  }
}

const byShare = (a: Replica, b: Replica): number =>
  shareOf(b) - shareOf(a) || (a.key < b.key ? -1 : 1);
const shareOf = ({ spec }: Replica): number => spec.template.ask.device?.shareMillis ?? 0;
