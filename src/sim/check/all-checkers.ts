/** Every checker, fresh for one run. The order decides which of several findings of one turn is told. */
import type { World } from "../world.ts";
import { createAmplificationChecker } from "./amplification.ts";
import { createAllOrNoneChecker } from "./all-or-none.ts";
import { createApartChecker } from "./apart.ts";
import { createAutoscalingChecker } from "./autoscaling.ts";
import { createBindingsChecker } from "./bindings.ts";
import { createBlindRetriesChecker } from "./blind-retries.ts";
import { createCapacityChecker } from "./capacity.ts";
import { createBudgetsChecker } from "./budgets.ts";
import type { Checker } from "./checker.ts";
import { createClocksChecker } from "./clocks.ts";
import { createCorrelatedHoldChecker } from "./correlated-hold.ts";
import { createCutOffsChecker } from "./cut-offs.ts";
import { createDevicesChecker } from "./devices.ts";
import { createDisconnectsChecker } from "./disconnects.ts";
import { createDisruptionsChecker } from "./disruptions.ts";
import { createDrainsChecker } from "./drains.ts";
import { createDurabilityChecker } from "./durability.ts";
import { createEvidenceChecker } from "./evidence.ts";
import { createExecutionChecker } from "./execution.ts";
import { createFairnessChecker, type WentAhead } from "./fairness.ts";
import { createFlappingChecker } from "./flapping.ts";
import { createGangsChecker } from "./gangs.ts";
import { createHeldRoomChecker } from "./held-room.ts";
import { createHonestWaitsChecker } from "./honest-waits.ts";
import { createJobsChecker } from "./jobs.ts";
import { createFollowersChecker } from "./followers.ts";
import { createLeadershipChecker } from "./leadership.ts";
import { createLoadBoundsChecker } from "./load-bounds.ts";
import { createLogChecker } from "./log.ts";
import { createMachinesChecker } from "./machines.ts";
import { createNodePoolsChecker } from "./node-pools.ts";
import { createObjectSizesChecker } from "./object-sizes.ts";
import { createOperationMemoryChecker } from "./operation-memory.ts";
import { createOperationOwnersChecker } from "./operation-owners.ts";
import { createOverridesChecker } from "./overrides.ts";
import { createPlacementChecker } from "./placement.ts";
import { createPoliciesChecker } from "./policies.ts";
import { createPreemptionsChecker } from "./preemptions.ts";
import { createProbesChecker } from "./probes.ts";
import { createProgressUnderAttackChecker } from "./progress-under-attack.ts";
import { createProgressChecker } from "./progress.ts";
import { createQuotaChecker } from "./quota.ts";
import { createQuotaPartsChecker } from "./quota-parts.ts";
import { createRecoveriesChecker } from "./recoveries.ts";
import { createRejectionsChecker } from "./rejections.ts";
import { createReadsChecker } from "./reads.ts";
import { createRegistrationsChecker } from "./registrations.ts";
import { createReservationsChecker } from "./reservations.ts";
import { createRetriesChecker } from "./retries.ts";
import { createRolloutsChecker } from "./rollouts.ts";
import { createStagesChecker } from "./stages.ts";
import { createStartsChecker } from "./starts.ts";
import { createTrackingChecker } from "./tracking.ts";
import { createTrespassChecker } from "./trespass.ts";
import { createStartTurnsChecker } from "./start-turns.ts";
import { createTenantCountsChecker } from "./tenant-counts.ts";
import { createViewsChecker } from "./views.ts";
import { createWaitsChecker } from "./waits.ts";

/** What is physically wrong comes first, what is merely late comes last. */
export function createCheckers(world: World, wentAhead?: WentAhead): readonly Checker[] {
  return [
    // What only planes that share a log can get wrong.
    ...((world.planes ?? 1) > 1
      ? [createLeadershipChecker(), createReadsChecker(), createFollowersChecker()]
      : []),
    // What only hostile senders try.
    ...(world.attacks === undefined
      ? []
      : [
          createTrespassChecker(world.attacks),
          createOperationOwnersChecker(),
          createOperationMemoryChecker(),
          createRegistrationsChecker(),
          createObjectSizesChecker(),
          createProgressUnderAttackChecker(),
        ]),
    createExecutionChecker(),
    createLogChecker(),
    createDurabilityChecker(),
    createBindingsChecker(),
    createCapacityChecker(),
    createDevicesChecker(),
    createQuotaChecker(),
    createQuotaPartsChecker(),
    createReservationsChecker(),
    createStagesChecker(),
    createPlacementChecker(),
    createOverridesChecker(),
    createCutOffsChecker(),
    createRejectionsChecker(),
    createGangsChecker(),
    createHeldRoomChecker(),
    createRecoveriesChecker(),
    createBudgetsChecker(),
    createPreemptionsChecker(),
    createDisruptionsChecker(),
    createDrainsChecker(),
    createPoliciesChecker(),
    createRolloutsChecker(),
    // Only where something is scaled by itself can that go wrong.
    ...(world.autoscalers === undefined ? [] : [createAutoscalingChecker()]),
    ...(world.nodePools === undefined ? [] : [createNodePoolsChecker()]),
    createJobsChecker(),
    createApartChecker(),
    createAllOrNoneChecker(),
    createEvidenceChecker(),
    createProbesChecker(),
    createCorrelatedHoldChecker(),
    createDisconnectsChecker(),
    createFlappingChecker(),
    createClocksChecker(),
    createRetriesChecker(),
    createBlindRetriesChecker(),
    createAmplificationChecker(),
    createStartsChecker(),
    createLoadBoundsChecker(),
    createStartTurnsChecker(),
    createTenantCountsChecker(),
    createMachinesChecker(),
    createFairnessChecker(wentAhead),
    createWaitsChecker(),
    createHonestWaitsChecker(),
    createTrackingChecker(),
    createViewsChecker(),
    createProgressChecker(),
  ];
}
