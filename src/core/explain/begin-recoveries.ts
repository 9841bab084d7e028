/**
 * Makes workloads with a recovery objective recover, as the plane would once it has noticed the
 * loss: from then on they may take the room that is kept for them, and the policy in force grants
 * what it says.
 */
import type { ObjectKey } from "../model/ids.ts";
import { policyKey } from "../model/ids.ts";
import type { RecoveryBudget, Replica, Workload } from "../model/objects.ts";
import { DEFAULT_POLICY } from "../model/policy.ts";
import { recoveryTarget } from "../model/recovery.ts";
import { workloadOf } from "../model/workload-of.ts";
import { recoveryNow } from "../observe/recovery-now.ts";
import { createGrantBudget } from "../propose/grant-budget.ts";
import { recoveryRules } from "../rules/recovery/recovery-budgets-now.ts";
import type { LossWorld } from "./loss-world.ts";

export interface Begun {
  /** Their replicas are lost from now on. */
  lostNow(): void;
}

/** Called while they are still there: how many serve at once is what a loss is counted from. */
export function beginRecoveries(world: LossWorld, lost: readonly Replica[]): Begun {
  const { objects } = world;
  const serving = new Map<ObjectKey, number>();
  for (const replica of lost) {
    const key = workloadOf(replica);
    const workload = objects.workload(key);
    if (workload?.spec.recovery === undefined || serving.has(key)) continue;
    serving.set(key, recoveryNow(objects, workload).serving);
  }
  return {
    lostNow() {
      if (serving.size === 0) return;
      for (const [key, before] of [...serving].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        begin(world, key, before);
      }
      grantBudgets(world);
    },
  };
}

function begin(world: LossWorld, key: ObjectKey, before: number): void {
  const workload = world.objects.workload(key) as Workload;
  const { recovery } = workload.status;
  const reached = Math.max(recovery?.reached ?? 0, Math.min(before, recoveryTarget(workload)));
  const next: Workload = {
    ...workload,
    status: { ...workload.status, recovery: { ...recovery, reached } },
  };
  const { bar, serving } = recoveryNow(world.objects, next);
  if (serving >= bar) return;
  const under = {
    beganMs: 0,
    lost: bar - serving,
    stage: "lost" as const,
    since: { atMs: 0, epoch: 0 },
    spentMs: {},
  };
  world.put(key, {
    ...next,
    status: { ...next.status, recovery: { ...recovery, reached, under } },
  });
}

/** A grant that the reserve of the policy does not cover is not made (BU2, BU3). */
function grantBudgets(world: LossWorld): void {
  const { objects, view } = world;
  const grants = recoveryRules(objects)?.grants?.length ?? 0;
  if (grants === 0) return;
  const controller = createGrantBudget();
  for (const after of objects.all("Workload").values()) {
    controller.follow?.({ key: after.key, before: undefined, after }, view);
  }
  for (let made = 0; made < grants; made += 1) {
    const look = { now: 0, feedback: [], failures: 0, random: () => 0 };
    const decision = controller.reconcile(policyKey(DEFAULT_POLICY), view, look);
    if (decision.kind !== "propose") return;
    for (const intent of decision.intents) {
      if (intent.kind !== "put" || intent.desired.kind !== "RecoveryBudget") continue;
      world.put(intent.key, granted(intent.key, intent.desired.spec));
    }
  }
}

function granted(key: ObjectKey, spec: RecoveryBudget["spec"]): RecoveryBudget {
  const name = key.slice(key.lastIndexOf("/") + 1);
  return {
    kind: "RecoveryBudget",
    key,
    meta: {
      namespace: "",
      name,
      uid: key as string as RecoveryBudget["meta"]["uid"],
      generation: 1,
      revision: 0,
      createdMs: 0,
      labels: {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec,
    status: {
      owner: "grant-budget",
      sinceMs: 0,
      untilMs: spec.ttlMs,
      extensions: 0,
      grant: { policyRevision: "", index: 0 },
    },
  };
}
