/**
 * Operation ids, all in one place. Each is made of what is to become true and of the identity it becomes
 * true for, never of the attempt: a retry, a second scheduler and a restarted controller all arrive at the
 * same id and so at the same single effect (OP1).
 *
 * Uids keep a re-created object from meeting the operations of its namesake; `life` keeps a slot's next
 * placement apart from the last.
 */
import { type ObjectKey, type OperationId, operationId } from "./model/ids.ts";
import type { AnyObject, Replica, Workload } from "./model/objects.ts";

const ofLife = (verb: string, { key, meta, status }: Replica): OperationId =>
  operationId(`${verb}/${key}/${meta.uid}/${status.life}`);

/** The workload's generation is in it because a slot can be deleted and wanted again within one uid. */
export const admitOperation = (workload: Workload, slot: number, life: number): OperationId =>
  operationId(
    `admit/${workload.key}/${workload.meta.uid}/${workload.meta.generation}/${slot}/${life}`,
  );

export const reserveOperation = (replica: Replica): OperationId => ofLife("reserve", replica);
export const queueOperation = (replica: Replica): OperationId => ofLife("queue", replica);
export const bindOperation = (replica: Replica): OperationId => ofLife("bind", replica);
export const releaseOperation = (replica: Replica): OperationId => ofLife("release", replica);

export const evictOperation = (replica: Replica, reason: "surplus" | "drain"): OperationId =>
  operationId(`${ofLife("evict", replica)}/${reason}`);

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
