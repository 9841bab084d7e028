/**
 * Whether a gang could run, by trial: each member goes to the first node that fits in a copy of the
 * world. All members make the same request, so their order makes no difference, unless they need
 * affinity or an even spread; for those this model makes no claim.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import { type ObjectKey, replicaKey } from "../../../core/model/ids.ts";
import type { AnyObject, Replica, Workload } from "../../../core/model/objects.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { feasibleNodes } from "./naive-fit.ts";
import { naiveSpread } from "./naive-policy.ts";
import { quotaPicture } from "./naive-quota.ts";
import { freeDevices } from "./naive-room.ts";

export interface Member {
  readonly index: number;
  readonly key: ObjectKey;
  readonly replica: Replica | undefined;
}

export const membersOf = (
  objects: ObjectIndex,
  { meta, spec, status }: Workload,
): readonly Member[] =>
  Array.from({ length: spec.replicas }, (_, index) => {
    const name = { tenant: meta.namespace, workload: meta.name, index };
    const key = replicaKey({ ...name, generation: status.templateGeneration });
    const held = objects.replica(key);
    return { index, key, replica: held?.spec.workloadUid === meta.uid ? held : undefined };
  });

/** Whether it holds a node and is not stopping, or has succeeded. */
export function isThere({ replica }: Member): boolean {
  if (replica === undefined) return false;
  if (replica.status.stage === "succeeded") return true;
  return isHolding(replica) && replica.status.stopping === undefined;
}

/** A member that is stopping, or waits for its next incarnation, keeps the others waiting. */
const isBusy = ({ replica }: Member): boolean =>
  replica !== undefined && (isHolding(replica) || replica.status.stage === "failed");

/** Whether each member without a node finds one, and all without quota get it. */
export function gangFits(objects: ObjectIndex, workload: Workload): boolean {
  const { template } = workload.spec;
  if ((template.affinity?.required.length ?? 0) > 0) return false;
  if (naiveSpread(objects, template).some(({ soft }) => soft !== true)) return false;
  const lacking = membersOf(objects, workload).filter((member) => !isThere(member));
  if (lacking.length === 0 || lacking.some(isBusy)) return false;
  return hasQuota(objects, workload, lacking) && hasNodes(objects, workload, lacking);
}

/** Whether there is quota for all members that hold none; a gang takes it in one step. */
export function hasQuota(
  objects: ObjectIndex,
  workload: Workload,
  lacking: readonly Member[],
): boolean {
  const without = lacking.filter(({ replica }) => replica?.status.stage !== "queued");
  if (without.length === 0) return true;
  const one = asQueued(workload, without[0] as Member);
  const { template } = one.spec;
  const { cpuMillis, memoryMiB, deviceMillis } = template.ask.amounts;
  const amounts = {
    cpuMillis: cpuMillis * without.length,
    memoryMiB: memoryMiB * without.length,
    deviceMillis: deviceMillis * without.length,
  };
  const asOne = { ...template, ask: { ...template.ask, amounts } };
  return quotaPicture(objects).mayReserve({ ...one, spec: { ...one.spec, template: asOne } });
}

function hasNodes(objects: ObjectIndex, workload: Workload, lacking: readonly Member[]): boolean {
  const first = asQueued(workload, lacking[0] as Member);
  if (feasibleNodes(objects, first).length === 0) return false;
  const copy = copyOf(objects);
  for (const member of lacking) {
    const replica = asQueued(workload, member);
    const node = feasibleNodes(copy, replica)[0];
    if (node === undefined) return false;
    const count = replica.spec.template.ask.device?.count ?? 0;
    const deviceIds = freeDevices(copy, node, replica).slice(0, count);
    const status = { ...replica.status, stage: "bound", node: node.meta.name, deviceIds } as const;
    for (const { key, spec } of copy.reservationsOf(replica.key).slice()) {
      // The bind takes the room reserved on its node; room reserved elsewhere is free only after
      // the bind.
      if (roomOf(spec)?.node === node.meta.name) drop(copy, key);
    }
    copy.fold({ key: replica.key, before: member.replica, after: { ...replica, status } });
  }
  return true;
}

/** The member as it would be in the queue, regardless of its stage. */
function asQueued(workload: Workload, { index, key, replica }: Member): Replica {
  const { meta, spec, status } = workload;
  const made: Replica = replica ?? {
    kind: "Replica",
    key,
    meta: { ...meta, name: `${meta.name}.${status.templateGeneration}.${index}` },
    spec: {
      workload: meta.name,
      workloadUid: meta.uid,
      generation: status.templateGeneration,
      index,
      type: spec.type,
      template: spec.template,
    },
    status: {
      stage: "queued",
      stageSinceMs: 0,
      incarnation: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: [],
      stopping: undefined,
    },
  };
  return { ...made, status: { ...made.status, stage: "queued", node: undefined, deviceIds: [] } };
}

const KINDS = ["Node", "Quota", "Workload", "Replica", "Reservation"] as const;

function copyOf(objects: ObjectIndex): ObjectIndex {
  const copy = new ObjectIndex();
  for (const kind of KINDS) {
    for (const after of objects.all(kind).values() as Iterable<AnyObject>) {
      copy.fold({ key: after.key, before: undefined, after });
    }
  }
  return copy;
}

function drop(objects: ObjectIndex, key: ObjectKey): void {
  objects.fold({ key, before: objects.get(key), after: undefined });
}
