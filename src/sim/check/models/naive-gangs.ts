/**
 * Whether a gang could run, tried out: its members are put on nodes of a copy of the world one
 * after the other, each on the first that takes it. All ask for the same, so which one is first
 * makes no difference, unless they must be near each other or evenly spread; of those nothing is
 * claimed.
 */
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

/** Whether it has a node and was not asked to leave it, or has done its work. */
export function isThere({ replica }: Member): boolean {
  if (replica === undefined) return false;
  if (replica.status.stage === "succeeded") return true;
  return isHolding(replica) && replica.status.stopping === undefined;
}

/**
 * One that is still on its way out, or waits for its next incarnation, keeps the others waiting.
 */
const isBusy = ({ replica }: Member): boolean =>
  replica !== undefined && (isHolding(replica) || replica.status.stage === "failed");

/** Whether there are a node for each that lacks one, and quota for all that hold none. */
export function gangFits(objects: ObjectIndex, workload: Workload): boolean {
  const { template } = workload.spec;
  if ((template.affinity?.required.length ?? 0) > 0) return false;
  if (naiveSpread(objects, template).some(({ soft }) => soft !== true)) return false;
  const lacking = membersOf(objects, workload).filter((member) => !isThere(member));
  if (lacking.length === 0 || lacking.some(isBusy)) return false;
  return hasQuota(objects, workload, lacking) && hasNodes(objects, workload, lacking);
}

/**
 * Whether there is quota for all members that hold none; what the gang waits for it takes at once.
 */
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
      // What is held for it there it takes; what is held for it elsewhere is free once it is bound,
      // and not before.
      if (spec.room?.node === node.meta.name) drop(copy, key);
    }
    copy.fold({ key: replica.key, before: member.replica, after: { ...replica, status } });
  }
  return true;
}

/** The member as it would wait for a node, whatever it is now. */
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
