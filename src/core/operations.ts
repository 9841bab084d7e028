/**
 * Operation ids, all in one place. Each is made of what is to become true and of the identity it becomes
 * true for, never of the attempt: a retry, a second scheduler and a restarted controller all arrive at the
 * same id and so at the same single effect (OP1).
 *
 * Uids keep a re-created object from meeting the operations of its namesake; `life` keeps a slot's next
 * placement apart from the last.
 */
import { type ObjectKey, type OperationId, operationId } from "./model/ids.ts";
import type { AnyObject, Replica, Stopping, Workload } from "./model/objects.ts";
import { workloadOf } from "./model/workload-of.ts";
import type { SlotLife } from "./commit/command.ts";

const ofLife = (verb: string, { key, meta, status }: Replica): OperationId =>
  operationId(`${verb}/${key}/${meta.uid}/${status.life}`);

/** The workload's generation is in it because a slot can be deleted and wanted again within one uid. */
export const admitOperation = (workload: Workload, slot: number, life: number): OperationId =>
  operationId(
    `admit/${workload.key}/${workload.meta.uid}/${workload.meta.generation}/${slot}/${life}`,
  );

/**
 * Names every slot and life in it. Another cut of the same slots is another operation, and meets the stage
 * rules instead: a slot is enqueued or bound once per life, however it was grouped.
 */
export const enqueueOperation = (workload: Workload, slots: readonly SlotLife[]): OperationId =>
  operationId(
    `enqueue/${workload.key}/${workload.meta.uid}/${workload.meta.generation}/${slotsText(slots)}`,
  );

export const bindAllOperation = (replicas: readonly Replica[]): OperationId => {
  const first = replicas[0];
  const slots = replicas.map(({ spec, status }) => ({ slot: spec.slot, life: status.life }));
  const of = first && `${workloadOf(first)}/${first.spec.workloadUid}/${first.spec.generation}`;
  // A slot that was deleted and made anew begins at life 1 again, under a new uid.
  return operationId(`bind-all/${of ?? ""}/${first?.meta.uid ?? ""}/${slotsText(slots)}`);
};

/** e.g. "0-63.1,64.2": runs of neighbouring slots in the same life. */
function slotsText(slots: readonly SlotLife[]): string {
  const runs: string[] = [];
  for (let at = 0; at < slots.length;) {
    const first = slots[at] as SlotLife;
    let end = at + 1;
    while (slots[end]?.slot === first.slot + (end - at) && slots[end]?.life === first.life)
      end += 1;
    const last = first.slot + (end - at) - 1;
    runs.push(
      last === first.slot ? `${last}.${first.life}` : `${first.slot}-${last}.${first.life}`,
    );
    at = end;
  }
  return runs.join(",");
}

export const reserveOperation = (replica: Replica): OperationId => ofLife("reserve", replica);
export const queueOperation = (replica: Replica): OperationId => ofLife("queue", replica);
export const bindOperation = (replica: Replica): OperationId => ofLife("bind", replica);
/** A life may need room again when what was held for it is lost: the number of times tells them apart. */
export const preemptOperation = (replica: Replica): OperationId =>
  operationId(`${ofLife("preempt", replica)}/${replica.status.preemptions ?? 0}`);

export const releaseOperation = (replica: Replica): OperationId => ofLife("release", replica);

export const evictOperation = (
  replica: Replica,
  reason: Stopping["reason"] | "gang",
): OperationId => operationId(`${ofLife("evict", replica)}/${reason}`);

/** A process may become ready more than once in a life; the revision it was seen at tells them apart. */
export const reportOperation = (replica: Replica, stage: string): OperationId =>
  operationId(`${ofLife("report", replica)}/${stage}@${replica.meta.revision}`);

export const deleteOperation = ({ key, meta }: AnyObject): OperationId =>
  operationId(`delete/${key}/${meta.uid}`);

export const finalizeOperation = ({ key, meta }: AnyObject): OperationId =>
  operationId(`finalize/${key}/${meta.uid}`);

export const reclaimOperation = (reservation: {
  key: ObjectKey;
  meta: { uid: string };
}): OperationId => operationId(`reclaim/${reservation.key}/${reservation.meta.uid}`);

/** One silence is named by the last renewal before it. */
export const healthOperation = (silence: {
  readonly node: string;
  readonly session: number;
  readonly seq: number;
  readonly to: string;
}): OperationId =>
  operationId(`health/${silence.node}/${silence.session}.${silence.seq}/${silence.to}`);

export const leaseOperation = (node: string, session: number, seq: number): OperationId =>
  operationId(`lease/${node}/${session}.${seq}`);
