/**
 * Operation ids, all in one place. Each is made of what is to become true and of the identity it
 * becomes true for, never of the attempt: a retry, a second scheduler and a restarted controller
 * all arrive at the same id and so at the same single effect (OP1).
 *
 * Uids keep a re-created object from meeting the operations of its namesake; `incarnation` keeps a
 * index's next placement apart from the last.
 */
import type { JobEnd } from "../model/batch.ts";
import { type ObjectKey, type OperationId, operationId, parseKey } from "../model/ids.ts";
import type { ProvisionOutcome } from "../model/node/node-pool.ts";
import type { Damping } from "../model/node/node-trust.ts";
import type {
  AnyObject,
  Autoscaler,
  ClusterRoleBinding,
  Lease,
  Node,
  NodePool,
  Override,
  Policy,
  RecoveryBudget,
  Replica,
  RoleBinding,
  Workload,
} from "../model/objects.ts";
import type { Stopping } from "../model/stage.ts";
import type { DrainProgress } from "../model/node/drain.ts";
import type { RegionalPlane, Term } from "../model/regional/plane.ts";
import { workloadOf } from "../model/workload-of.ts";
import type { IndexIncarnation } from "./command.ts";
import type { SecretsAsk } from "./secrets-ask.ts";

const ofIncarnation = (verb: string, { key, meta, status }: Replica): OperationId =>
  operationId(`${verb}/${key}/${meta.uid}/${status.incarnation}`);

/**
 * What an index was wanted for: it can be deleted and wanted again within one uid, when the
 * workload is scaled, and in a rollout when it goes back to what it had left.
 */
function desired({ key, meta, status }: Workload, generation: number): string {
  const { retargets } = status;
  const rolled = retargets === undefined ? "" : `.${retargets}.${generation}`;
  return `${key}/${meta.uid}/${meta.generation}${rolled}`;
}

export const admitOperation = (
  workload: Workload,
  generation: number,
  { index, incarnation }: IndexIncarnation,
): OperationId => operationId(`admit/${desired(workload, generation)}/${index}/${incarnation}`);

/**
 * Names every index and incarnation in it. Another cut of the same indexes is another operation,
 * and meets the stage rules instead: an index is enqueued or bound once per incarnation, however it
 * was grouped.
 */
export const enqueueOperation = (
  workload: Workload,
  generation: number,
  indexes: readonly IndexIncarnation[],
): OperationId => operationId(`enqueue/${desired(workload, generation)}/${indexesText(indexes)}`);

export const bindAllOperation = (replicas: readonly Replica[]): OperationId => {
  const first = replicas[0];
  const indexes = replicas.map(({ spec, status }) => ({
    index: spec.index,
    incarnation: status.incarnation,
  }));
  const of = first && `${workloadOf(first)}/${first.spec.workloadUid}/${first.spec.generation}`;
  // An index that was deleted and made anew begins at incarnation 1 again, under a new uid.
  return operationId(`bind-all/${of ?? ""}/${first?.meta.uid ?? ""}/${indexesText(indexes)}`);
};

/** e.g. "0-63.1,64.2": runs of neighbouring indexes in the same incarnation. */
function indexesText(indexes: readonly IndexIncarnation[]): string {
  const runs: string[] = [];
  for (let at = 0; at < indexes.length;) {
    const first = indexes[at] as IndexIncarnation;
    let end = at + 1;
    while (
      indexes[end]?.index === first.index + (end - at) &&
      indexes[end]?.incarnation === first.incarnation
    )
      end += 1;
    const last = first.index + (end - at) - 1;
    runs.push(
      last === first.index
        ? `${last}.${first.incarnation}`
        : `${first.index}-${last}.${first.incarnation}`,
    );
    at = end;
  }
  return runs.join(",");
}

export const reserveOperation = (replica: Replica): OperationId =>
  ofIncarnation("reserve", replica);
export const queueOperation = (replica: Replica): OperationId => ofIncarnation("queue", replica);
export const bindOperation = (replica: Replica): OperationId => ofIncarnation("bind", replica);
/**
 * An incarnation may need room again when its reserved room is lost: the number of times tells them
 * apart.
 */
export const preemptOperation = (replica: Replica): OperationId =>
  operationId(`${ofIncarnation("preempt", replica)}/${replica.status.preemptions ?? 0}`);

/**
 * A rollout goes in many steps, and each of them writes the workload: the revision it was seen at
 * tells them apart.
 */
export const rollOperation = ({ key, meta }: Workload, move: string): OperationId =>
  operationId(`roll/${key}/${meta.uid}/${move}@${meta.revision}`);

/** Each hold has a number of its own, and what is given back a name. */
export const holdRecoveryOperation = (
  { key, meta, status }: Workload,
  rooms: number,
  drop: readonly ObjectKey[],
): OperationId => {
  const given = drop.map((held) => parseKey(held).name).join("+");
  const from = status.recovery?.holds ?? 0;
  return operationId(`hold-recovery/${key}/${meta.uid}/${from}+${rooms}/${given}`);
};

/**
 * What is said of a recovery writes the workload: the revision it was seen at tells one saying from
 * the next.
 */
export const recoverOperation = ({ key, meta }: Workload): OperationId =>
  operationId(`recover/${key}/${meta.uid}@${meta.revision}`);

/** A job ends once for each template. */
export const finishOperation = ({ key, meta, status }: Workload, end: JobEnd): OperationId =>
  operationId(`finish/${key}/${meta.uid}/${status.templateGeneration}/${end}`);

/**
 * An incarnation may be cut off and replaced again after it was back: the session tells the times
 * apart.
 */
export const replaceOperation = (replica: Replica): OperationId =>
  operationId(`${ofIncarnation("replace", replica)}/${replica.status.session}`);

/**
 * Who goes and who stays; the session in which the two met again tells one meeting from the next.
 */
export const settleOperation = (goes: Replica, stays: Replica): OperationId => {
  const sessions = `${goes.status.session}.${stays.status.session}`;
  return operationId(`${ofIncarnation("settle", goes)}/${stays.meta.uid}/${sessions}`);
};

export const releaseOperation = (replica: Replica): OperationId =>
  ofIncarnation("release", replica);

/** A lease is left behind once for each object that it had. */
export const releaseLeaseOperation = ({ key, meta }: Lease): OperationId =>
  operationId(`release/${key}/${meta.uid}`);

/** One end for each time that a node is drained. */
export const drainOverOperation = (
  { key, meta }: Node,
  { generation }: DrainProgress,
): OperationId => operationId(`drain-over/${key}/${meta.uid}/${generation}`);

export const evictOperation = (
  replica: Replica,
  reason: Stopping["reason"] | "gang",
): OperationId => operationId(`${ofIncarnation("evict", replica)}/${reason}`);

/** An incarnation is bound once, and so confirmed once. */
export const confirmOperation = (replica: Replica): OperationId =>
  ofIncarnation("confirm", replica);

/**
 * A process may become ready more than once in an incarnation; the revision it was seen at tells
 * them apart.
 */
export const reportOperation = (replica: Replica, stage: string): OperationId =>
  operationId(`${ofIncarnation("report", replica)}/${stage}@${replica.meta.revision}`);

/**
 * The next report of a failing probe. It is told apart by the report before it, not by a revision:
 * one that was long under way is not committed again after its successor was asked for.
 */
export const probeOperation = (replica: Replica): OperationId => {
  const { failingProbe, unready } = replica.status;
  const after = `${unready?.sinceMs ?? 0}.${failingProbe?.toldMs ?? 0}`;
  return operationId(`${ofIncarnation("report", replica)}/probe@${after}`);
};

/** No command: a start of one incarnation asks for its secrets as often as it must. */
export const secretsOperation = (ask: Pick<SecretsAsk, "replica" | "incarnation">): OperationId =>
  operationId(`secrets/${ask.replica}/${ask.incarnation}`);

export const deleteOperation = ({ key, meta }: AnyObject): OperationId =>
  operationId(`delete/${key}/${meta.uid}`);

/** Its owners are part of the intent: one that is given others and loses them is another one. */
export const collectOperation = ({ key, meta }: AnyObject): OperationId =>
  operationId(`collect/${key}/${meta.uid}`);

export const finalizeOperation = ({ key, meta }: AnyObject): OperationId =>
  operationId(`finalize/${key}/${meta.uid}`);

/**
 * Each is taken off once; the owner of another finalizer of the same object has an operation of its
 * own.
 */
export const liftOperation = (
  { key, meta }: AnyObject,
  finalizers: readonly string[],
): OperationId => operationId(`lift/${key}/${meta.uid}/${finalizers.join("+")}`);

export const reclaimOperation = (reservation: {
  key: ObjectKey;
  meta: { uid: string };
}): OperationId => operationId(`reclaim/${reservation.key}/${reservation.meta.uid}`);

/** Room is freed once, for the first reason found. */
export const unwindRoomOperation = (reservation: {
  key: ObjectKey;
  meta: { uid: string };
}): OperationId => operationId(`unwind/${reservation.key}/${reservation.meta.uid}`);

/** One silence is named by the last renewal before it. */
export const healthOperation = (silence: {
  readonly node: string;
  /** Of the Node: one that was deleted and made anew may go on in the same session (OB9). */
  readonly uid: string;
  readonly session: number;
  readonly seq: number;
  readonly to: string;
}): OperationId =>
  operationId(
    `health/${silence.node}/${silence.uid}/${silence.session}.${silence.seq}/${silence.to}`,
  );

/** One hold on a node that flapped is named by when it began, on the clock of its leadership. */
export const steadyOperation = ({ meta }: Node, { epoch, sinceMs }: Damping): OperationId =>
  operationId(`steady/${meta.name}/${meta.uid}/${epoch}.${sinceMs}`);

export const leaseOperation = (node: string, session: number, seq: number): OperationId =>
  operationId(`lease/${node}/${session}.${seq}`);

/** One that was made to last longer has another end. */
export const expireOperation = ({ key, meta }: Override): OperationId =>
  operationId(`expire/${key}/${meta.uid}/${meta.generation}`);

/** One that was given another end has been written again. */
export const expireBindingOperation = ({
  key,
  meta,
}: RoleBinding | ClusterRoleBinding): OperationId =>
  operationId(`expire/${key}/${meta.uid}/${meta.revision}`);

/** One that was made to last longer has another end; it is said to be over, and later it goes. */
export const expireRecoveryBudgetOperation = (
  { key, meta }: RecoveryBudget,
  step: "over" | "gone",
): OperationId => operationId(`expire/${key}/${meta.uid}/${meta.generation}/${step}`);

/** No name is granted twice. */
export const grantOperation = ({ key, meta }: Policy, name: string): OperationId =>
  operationId(`grant/${key}/${meta.uid}/${name}`);

/** A reading is named by when it was taken, by the clock of who took it: a later one is another. */
export const observeOperation = ({ key, meta }: Autoscaler, takenMs: number): OperationId =>
  operationId(`observe/${key}/${meta.uid}/${takenMs}`);

/** One number for each observation and each recommendation that it was decided on. */
export const scaleOperation = (
  { key, meta, status }: Autoscaler,
  workload: Workload,
  to: number,
): OperationId =>
  operationId(
    `scale/${key}/${meta.uid}/${meta.generation}.${status.observed?.seq ?? 0}/${workload.meta.uid}.${workload.meta.generation}/${to}`,
  );

/** Each node of a pool has a number of its own. */
export const provisionOperation = ({ key, meta }: NodePool, node: string): OperationId =>
  operationId(`provision/${key}/${meta.uid}/${node}`);

/** Each thing is said once of a node. */
export const provisionedOperation = (
  { key, meta }: Node,
  outcome: ProvisionOutcome,
): OperationId => {
  const said = typeof outcome === "string" ? outcome : `failed/${outcome.failed.slice(0, 64)}`;
  return operationId(`provisioned/${key}/${meta.uid}/${said}`);
};

/** A node that was provisioning is given up once. */
export const giveUpOperation = ({ key, meta }: Node): OperationId =>
  operationId(`give-up/${key}/${meta.uid}`);

/** And one that has come is given back once. The id is as it was when this was called to retire. */
export const scaleDownOperation = ({ key, meta }: Node): OperationId =>
  operationId(`retire/${key}/${meta.uid}`);

/** The next version of a grant is lent once, by each incarnation of the plane that lends. */
export const lendOperation = (
  lender: number,
  to: {
    readonly tenant: string;
    readonly region: string;
    readonly incarnation: number;
    readonly version: number;
  },
): OperationId =>
  operationId(`lend/${lender}/${to.tenant}/${to.region}/${to.incarnation}.${to.version}`);

/** A term that was renewed has another end. */
export const endTermOperation = (
  { region, incarnation }: RegionalPlane,
  { epoch, untilMs }: Term,
): OperationId => operationId(`end-term/${region}/${incarnation}/${epoch}.${untilMs}`);

export const endLearningOperation = (region: string, incarnation: number): OperationId =>
  operationId(`end-learning/${region}/${incarnation}`);
