/**
 * Every checker, fresh for one run. The order decides which of several findings of one turn is
 * told.
 */
import type { World } from "../world/world.ts";
import { createAmplificationChecker } from "./plane/amplification.ts";
import { createAllOrNoneChecker } from "./all-or-none.ts";
import { createApartChecker } from "./apart.ts";
import { createAutoscalingChecker } from "./steering/autoscaling.ts";
import { createBoundedDamageChecker } from "./plane/bounded-damage.ts";
import { createBindingsChecker } from "./bindings.ts";
import { createBlindRetriesChecker } from "./plane/blind-retries.ts";
import { createCapacityChecker } from "./capacity.ts";
import { createRecoveryBudgetsChecker } from "./steering/recovery-budgets.ts";
import type { Checker } from "./checker.ts";
import { createClocksChecker } from "./evidence/clocks.ts";
import { createCorrelatedHoldChecker } from "./evidence/correlated-hold.ts";
import { createPartitionedRegionsChecker } from "./steering/partitioned-regions.ts";
import { createDevicesChecker } from "./devices.ts";
import { createDisconnectsChecker } from "./evidence/disconnects.ts";
import { createDisruptionsChecker } from "./disruptions.ts";
import { createDrainsChecker } from "./evidence/drains.ts";
import { createDurabilityChecker } from "./plane/durability.ts";
import { createEvidenceChecker } from "./evidence/evidence.ts";
import { createExecutionChecker } from "./evidence/execution.ts";
import { createFairnessChecker, type WentAhead } from "./fairness.ts";
import { createFlappingChecker } from "./evidence/flapping.ts";
import { createGangsChecker } from "./gangs.ts";
import { createHeldRoomChecker } from "./held-room.ts";
import { createHonestWaitsChecker } from "./liveness/honest-waits.ts";
import { createJobsChecker } from "./jobs.ts";
import { createFollowersChecker } from "./plane/followers.ts";
import { createLeadershipChecker } from "./plane/leadership.ts";
import { createLoadBoundsChecker } from "./plane/load-bounds.ts";
import { createOverloadChecker } from "./plane/overload.ts";
import { createLogChecker } from "./plane/log.ts";
import { createMachinesChecker } from "./evidence/machines.ts";
import { createNodePoolsChecker } from "./steering/node-pools.ts";
import { createObjectSizesChecker } from "./plane/object-sizes.ts";
import { createOperationMemoryChecker } from "./plane/operation-memory.ts";
import { createOperationOwnersChecker } from "./plane/operation-owners.ts";
import { createOverridesChecker } from "./steering/overrides.ts";
import { createOwnersChecker } from "./owners.ts";
import { createSecretsChecker } from "./secrets.ts";
import { hasSecrets } from "../world/secrets-of-world.ts";
import { hasOwners } from "../world/owned.ts";
import { createPlacementChecker } from "./placement.ts";
import { createPortsChecker } from "./ports.ts";
import { createPoliciesChecker } from "./steering/policies.ts";
import { createPreemptionsChecker } from "./preemptions.ts";
import { createProbesChecker } from "./evidence/probes.ts";
import { createProgressUnderAttackChecker } from "./liveness/progress-under-attack.ts";
import { createProgressChecker } from "./liveness/progress.ts";
import { createQuotaChecker } from "./quota.ts";
import { createQuotaPartsChecker } from "./models/quota-parts.ts";
import { createRecoveriesChecker } from "./steering/recoveries.ts";
import { createRejectionsChecker } from "./plane/rejections.ts";
import { createReadsChecker } from "./plane/reads.ts";
import { createRegistrationsChecker } from "./plane/registrations.ts";
import { createReservationsChecker } from "./reservations.ts";
import { createRestartsChecker } from "./restarts.ts";
import { createRetriesChecker } from "./plane/retries.ts";
import { createRolesChecker } from "./plane/roles.ts";
import { createRolloutsChecker } from "./rollouts.ts";
import { createStagesChecker } from "./stages.ts";
import { createStartsChecker } from "./evidence/starts.ts";
import { createTrackingChecker } from "./models/tracking.ts";
import { createTrespassChecker } from "./plane/trespass.ts";
import { createStartTurnsChecker } from "./evidence/start-turns.ts";
import { createTenantCountsChecker } from "./tenant-counts.ts";
import { createViewsChecker } from "./plane/views.ts";
import { createWaitsChecker } from "./liveness/waits.ts";

/** What is physically wrong comes first, what is merely late comes last. */
export function createCheckers(world: World, wentAhead?: WentAhead): readonly Checker[] {
  return [
    // What only planes that share a log can get wrong.
    ...((world.planes ?? 1) > 1
      ? [createLeadershipChecker(), createReadsChecker(), createFollowersChecker()]
      : []),
    ...ofStrangers(world),
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
    createRestartsChecker(),
    ...(hasOwners(world) ? [createOwnersChecker()] : []),
    ...(hasSecrets(world) ? [createSecretsChecker()] : []),
    createPlacementChecker(),
    createOverridesChecker(),
    createPartitionedRegionsChecker(),
    createRejectionsChecker(),
    createGangsChecker(),
    createHeldRoomChecker(),
    createRecoveriesChecker(),
    createRecoveryBudgetsChecker(),
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
    createPortsChecker(),
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
    createOverloadChecker(),
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

/** What only hostile senders and people with roles try. */
function ofStrangers({ attacks, people }: World): readonly Checker[] {
  const ofPeople = people === undefined ? [] : [createRolesChecker()];
  if (attacks === undefined) return ofPeople;
  return [
    createBoundedDamageChecker(attacks),
    createTrespassChecker(attacks),
    createOperationOwnersChecker(),
    createOperationMemoryChecker(),
    createRegistrationsChecker(),
    createObjectSizesChecker(),
    createProgressUnderAttackChecker(),
    ...ofPeople,
  ];
}
