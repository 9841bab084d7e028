/**
 * Every controller of a plane, under the name it signs its commands with. Hosts and the simulator
 * run these.
 */
import type { Controller } from "./runner/controller.ts";
import { createCollectOwned } from "./correct/collect-owned.ts";
import { createDrainNode } from "./correct/drain-node.ts";
import { createEmptyTenant } from "./correct/empty-tenant.ts";
import { createEndLearning } from "./correct/end-learning.ts";
import { createEndTerm } from "./correct/end-term.ts";
import { createExpireBinding } from "./correct/expire-binding.ts";
import { createExpireBudget } from "./correct/expire-budget.ts";
import { createExpireOverride } from "./correct/expire-override.ts";
import { createLiftFinalizer } from "./correct/lift-finalizer.ts";
import { createNodeHealth } from "./correct/node-health.ts";
import { createReclaimLeak } from "./correct/reclaim-leak.ts";
import { createReclaimQuota } from "./correct/reclaim-quota.ts";
import { createReleaseForgotten } from "./correct/release-forgotten.ts";
import { createReleaseLost } from "./correct/release-lost.ts";
import { createReleaseVanished } from "./correct/release-vanished.ts";
import { createSettleRegion } from "./correct/settle-region.ts";
import { createScaleDownIdle } from "./correct/scale-down-idle.ts";
import { createUnwindPolicy } from "./correct/unwind-policy.ts";
import { steered } from "./runner/steered.ts";
import { createAdmit } from "./propose/admit.ts";
import { createApportion } from "./propose/apportion.ts";
import { createFinishBatch } from "./propose/finish-batch.ts";
import { createGrantBudget } from "./propose/grant-budget.ts";
import { createKeepRecovery } from "./propose/keep-recovery.ts";
import { createPlace } from "./propose/place.ts";
import { createPreempt } from "./propose/preempt.ts";
import { createProvision } from "./propose/provision.ts";
import { createRollOut } from "./propose/roll-out.ts";
import { createScale } from "./propose/scale.ts";

export type NamedController = readonly [name: string, create: () => Controller];

export function allControllers(schedulers: number): readonly NamedController[] {
  const places = Array.from({ length: schedulers }, (_, at): NamedController => [
    `place-${at + 1}`,
    createPlace,
  ]);
  const all: readonly NamedController[] = [
    ["admit", createAdmit],
    ...places,
    ["node-health", createNodeHealth],
    ["release-lost", createReleaseLost],
    ["release-vanished", createReleaseVanished],
    ["release-forgotten", createReleaseForgotten],
    ["reclaim-leak", createReclaimLeak],
    ["reclaim-quota", createReclaimQuota],
    ["drain-node", createDrainNode],
    ["unwind-policy", createUnwindPolicy],
    ["empty-tenant", createEmptyTenant],
    ["lift-finalizer", createLiftFinalizer],
    ["collect-owned", createCollectOwned],
    ["preempt", createPreempt],
    ["roll-out", createRollOut],
    ["keep-recovery", createKeepRecovery],
    ["finish-batch", createFinishBatch],
    ["expire-override", createExpireOverride],
    ["grant-budget", createGrantBudget],
    ["expire-budget", createExpireBudget],
    ["expire-binding", createExpireBinding],
    ["settle-region", createSettleRegion],
    ["scale", createScale],
    ["provision", createProvision],
    ["retire-idle", createScaleDownIdle],
    ["apportion", createApportion],
    ["end-term", createEndTerm],
    ["end-learning", createEndLearning],
  ];
  // Whatever any of them proposes, people may hold it back for a while (OV11).
  return all.map(([name, create]) => [name, () => steered(create())]);
}
