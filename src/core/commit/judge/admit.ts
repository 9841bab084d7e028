/** Gives a wanted slot a life. The only way a replica comes into being, or back after it ended. */
import { replicaKey } from "../../model/ids.ts";
import type { Uid } from "../../model/ids.ts";
import type { Replica, Workload } from "../../model/objects.ts";
import { ownerOf } from "../../model/stage.ts";
import type { IntentOf } from "../command.ts";
import { type Bench, FREED, missing, no, type Verdict, withStatus } from "../verdict.ts";
import { wantsSlot } from "./wanted.ts";

export function judgeAdmit(bench: Bench, intent: IntentOf<"admit">): Verdict {
  const workload = bench.ledger.objects.workload(intent.workload);
  if (workload === undefined) return missing(intent.workload);
  const { generation, slot } = intent;
  if (!wantsSlot(workload, { uid: workload.meta.uid, generation, slot })) {
    return no(
      "slot-not-wanted",
      intent.workload,
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
  if (held === undefined)
    return [{ key, before: undefined, after: firstLife(bench, workload, intent, key) }];
  return [withStatus(bench, held, { ...FREED, stage: "admitted", life })];
}

function firstLife(
  bench: Bench,
  workload: Workload,
  intent: IntentOf<"admit">,
  key: Replica["key"],
): Replica {
  return {
    kind: "Replica",
    key,
    meta: {
      namespace: workload.meta.namespace,
      name: `${workload.meta.name}.${intent.generation}.${intent.slot}`,
      uid: `u${bench.next}` as Uid,
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
      generation: intent.generation,
      slot: intent.slot,
      type: workload.spec.type,
      template: workload.spec.template,
    },
    status: {
      ...FREED,
      stage: "admitted",
      stageSinceMs: bench.nowMs,
      life: 1,
      failures: 0,
      session: 0,
    },
  };
}
