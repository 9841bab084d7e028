/** Gives a wanted slot a life. The only way a replica comes into being, or back after it ended. */
import { type ObjectKey, replicaKey, type Uid } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { ownerOf } from "../../model/stage.ts";
import type { IntentOf } from "../command.ts";
import { type Bench, FREED, missing, no, type Verdict, withStatus } from "../verdict.ts";
import { wantsSlot } from "./wanted.ts";

export function judgeAdmit(bench: Bench, intent: IntentOf<"admit">): Verdict {
  const workload = bench.ledger.objects.workload(intent.workload);
  return workload === undefined ? missing(intent.workload) : judgeSlot(bench, workload, intent);
}

/** Accepted, it is exactly one change: the replica of that slot in its new life. */
export function judgeSlot(
  bench: Bench,
  workload: Workload,
  intent: WantedSlot,
  begins: Beginning = ADMITTED,
): Verdict {
  const { generation, slot } = intent;
  if (!wantsSlot(workload, { uid: workload.meta.uid, generation, slot })) {
    return no(
      "slot-not-wanted",
      workload.key,
      `slot below ${workload.spec.replicas} of generation ${workload.status.templateGeneration}`,
      `slot ${intent.slot} of generation ${intent.generation}`,
    );
  }
  const key = replicaKey({
    tenant: workload.meta.namespace,
    workload: workload.meta.name,
    generation: intent.generation,
    slot: intent.slot,
  });
  const held = bench.ledger.objects.replica(key);
  // A namesake's replica would bring its own template and past; it has to be deleted first.
  if (held !== undefined && held.spec.workloadUid !== workload.meta.uid) {
    return no("already-exists", key, "no replica of another workload", held.spec.workloadUid);
  }
  const from = held?.status.stage ?? "none";
  const owner = ownerOf(from, "admitted");
  if (owner === undefined) return no("wrong-stage", key, "none, released or failed", from);
  if (owner !== bench.role) return no("not-owner", key, owner, bench.role);
  const life = (held?.status.life ?? 0) + 1;
  if (intent.life !== life) return no("wrong-life", key, life, intent.life);
  const { stage } = begins;
  if (held !== undefined) return [withStatus(bench, held, { ...FREED, stage, life })];
  const after = firstLife(bench, workload, { ...intent, key, begins });
  return [{ key, before: undefined, after }];
}

/** How a life begins: waiting for quota, or with it and in the queue. */
export interface Beginning {
  readonly stage: "admitted" | "queued";
  /** Tells apart what one commit makes several of. */
  readonly uidSuffix: string;
}

const ADMITTED: Beginning = { stage: "admitted", uidSuffix: "" };

export interface WantedSlot {
  readonly generation: number;
  readonly slot: number;
  readonly life: number;
}

function firstLife(
  bench: Bench,
  workload: Workload,
  of: WantedSlot & { readonly key: ObjectKey; readonly begins: Beginning },
): Replica {
  const { generation, slot, key, begins } = of;
  return {
    kind: "Replica",
    key,
    meta: {
      namespace: workload.meta.namespace,
      name: `${workload.meta.name}.${generation}.${slot}`,
      uid: `u${bench.next}${begins.uidSuffix}` as Uid,
      generation: 1,
      revision: bench.next,
      createdMs: bench.nowMs,
      labels: workload.meta.labels,
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      workload: workload.meta.name,
      workloadUid: workload.meta.uid,
      generation,
      slot,
      type: workload.spec.type,
      template: workload.spec.template,
    },
    // Written out: made for every replica there is, and a spread would cost more than all the rest.
    status: {
      stage: begins.stage,
      stageSinceMs: bench.nowMs,
      life: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: FREED.deviceIds,
      stopping: undefined,
      address: undefined,
      preemptions: undefined,
    },
  };
}
