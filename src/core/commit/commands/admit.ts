/**
 * Gives a wanted index an incarnation. The only way a replica comes into being, or back after it
 * ended.
 */
import { type ObjectKey, parseKey, type Uid } from "../../model/ids.ts";
import type { Replica, Template, Workload } from "../../model/objects.ts";
import { targetOf, templateOf } from "../../model/rollout.ts";
import { ownerOf } from "../../model/stage.ts";
import { wantsIndex } from "../../model/wanted-indexes.ts";
import { indexReplicas } from "../../observe/index-replicas.ts";
import type { IntentOf } from "../../protocol/command.ts";
import {
  type CommitContext,
  FREED,
  isRejection,
  missing,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";
import { withinJob } from "../checks/batch-incarnations.ts";
import { surgeExceeded } from "../checks/surge.ts";

export function checkAdmit(context: CommitContext, intent: IntentOf<"admit">): Verdict {
  const workload = context.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const verdict = checkIndex(context, workload, intent);
  return isRejection(verdict)
    ? verdict
    : (surgeExceeded(context, workload, 1) ?? withinJob(context, workload, verdict));
}

/** Accepted, it is exactly one change: the replica of that index in its new incarnation. */
export function checkIndex(
  context: CommitContext,
  workload: Workload,
  intent: WantedIndex,
  begins: Beginning = ADMITTED,
): Verdict {
  const { generation, index } = intent;
  const template = templateOf(workload, generation);
  const isWanted = wantsIndex(workload, { uid: workload.meta.uid, generation, index });
  if (!isWanted || template === undefined) {
    return reject(
      "index-not-wanted",
      workload.key,
      `index below ${workload.spec.replicas} of generation ${targetOf(workload)}`,
      `index ${intent.index} of generation ${intent.generation}`,
    );
  }
  const {
    key,
    own: held,
    nextIncarnation,
  } = indexReplicas(context.ledger.objects, {
    tenant: workload.meta.namespace,
    workload: workload.meta.name,
    generation: intent.generation,
    index: intent.index,
  });
  // A namesake's replica would bring its own template and past; it has to be deleted first.
  if (held !== undefined && held.spec.workloadUid !== workload.meta.uid) {
    return reject("already-exists", key, "no replica of another workload", held.spec.workloadUid);
  }
  const from = held?.status.stage ?? "none";
  const owner = ownerOf(from, "admitted");
  if (owner === undefined) return reject("wrong-stage", key, "none, released or failed", from);
  if (owner !== context.role) return reject("not-owner", key, owner, context.role);
  const incarnation = nextIncarnation;
  if (intent.incarnation !== incarnation)
    return reject("wrong-incarnation", key, incarnation, intent.incarnation);
  const { stage } = begins;
  if (held !== undefined && held.meta.deletingMs === undefined) {
    // One that was replaced and has ended is the index's own again when it is all there is.
    const again = held.status.superseded === undefined ? {} : { superseded: undefined };
    return [withStatus(context, held, { ...FREED, ...again, stage, incarnation })];
  }
  const after = firstIncarnation(context, workload, { ...intent, key, template, begins });
  return [{ key, before: held, after: held === undefined ? after : anew(held, after) }];
}

/**
 * After a person deleted it, the index begins as another object under the same name (ST90). A job
 * still counts its failures, and the node before it still keeps its logs.
 */
function anew({ status }: Replica, first: Replica): Replica {
  const { lastNode } = status;
  const failures = first.spec.type === "batch" ? status.failures : 0;
  return { ...first, status: { ...first.status, failures, lastNode } };
}

/** How an incarnation begins: waiting for quota, or with it and in the queue. */
export interface Beginning {
  readonly stage: "admitted" | "queued";
  /** Tells apart what one commit makes several of. */
  readonly uidSuffix: string;
}

const ADMITTED: Beginning = { stage: "admitted", uidSuffix: "" };

export interface WantedIndex {
  readonly generation: number;
  readonly index: number;
  readonly incarnation: number;
}

function firstIncarnation(
  context: CommitContext,
  workload: Workload,
  wanted: WantedIndex & {
    readonly key: ObjectKey;
    readonly template: Template;
    readonly begins: Beginning;
  },
): Replica {
  const { generation, index, incarnation, key, template, begins } = wanted;
  return {
    kind: "Replica",
    key,
    meta: {
      namespace: workload.meta.namespace,
      name: parseKey(key).name,
      uid: `u${context.next}${begins.uidSuffix}` as Uid,
      generation: 1,
      revision: context.next,
      createdMs: context.nowMs,
      labels: workload.meta.labels,
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      workload: workload.meta.name,
      workloadUid: workload.meta.uid,
      generation,
      index,
      type: workload.spec.type,
      template,
    },
    // Written out: made for every replica there is, and a spread would cost more than all the rest.
    status: {
      stage: begins.stage,
      stageSinceMs: context.nowMs,
      incarnation,
      failures: 0,
      node: undefined,
      // Named although it is empty: a bind fills it in, and one field more than the object was made
      // with costs it ten times as much.
      lastNode: undefined,
      session: 0,
      deviceIds: FREED.deviceIds,
      stopping: undefined,
      address: undefined,
      preemptions: undefined,
    },
  };
}
