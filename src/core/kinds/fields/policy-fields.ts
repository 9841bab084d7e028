/** The rules of a policy revision, part by part. */
import type { RecoveryRules } from "../../model/recovery-budget.ts";
import {
  PACE_NODES_MOST,
  POOL_NODES_MOST,
  POOL_TIME_LEAST_MS,
  POOL_TIME_MOST_MS,
  type ProvisioningRules,
} from "../../model/node/node-pool.ts";
import {
  CONFIRM_BOUNDS_MS,
  CONFIRM_WITHIN_MS,
  type DegradedRules,
  HEALTH_BOUNDS_MS,
  type HealthTimes,
  POLICY_LIST_MOST,
  type PolicyRules,
  type PreemptionRules,
  RETRY_BOUNDS,
  type RetryTerms,
  ROLLBACK_WAYS,
  type RollbackPlan,
  SCALED_REPLICAS_MOST,
  type ScalingBounds,
  SCORINGS,
  STABILIZATION_MOST_MS,
} from "../../model/policy.ts";
import { SUSPECT_AFTER_MS, UNKNOWN_AFTER_MS } from "../../model/timing.ts";
import { RECOVERY_ABOUT, RECOVERY_FIELDS } from "./recovery-budget-fields.ts";
import {
  choice,
  count,
  duration,
  type FieldsOf,
  list,
  object,
  optional,
  shown,
  text,
  usually,
  word,
} from "./field.ts";
import { SPREAD } from "./placement-fields.ts";

const SCALED = { least: 0, most: SCALED_REPLICAS_MOST } as const;

const bands = (about: string, least?: number) =>
  list(about, word("A band of priority classes."), {
    ...(least === undefined ? {} : { least }),
    most: POLICY_LIST_MOST,
    repeated: "refused",
  });

const way = (what: string) =>
  usually(choice(`What happens to ${what}.`, ROLLBACK_WAYS), "preserve");

export const POLICY_FIELDS: FieldsOf<PolicyRules> = {
  scoring: shown(
    choice(
      "best-fit fills nodes up, spread-out prefers the emptiest, and fragmentation keeps the remaining devices useful for the mix of work seen so far.",
      SCORINGS,
    ),
    { name: "Scoring", about: "How nodes are scored." },
  ),
  preemption: optional(
    object<PreemptionRules>("Limits on preemption, in addition to the priority classes.", {
      never: optional(bands("Bands whose work never preempts.")),
      apart: optional(
        list(
          "Sets of bands whose work does not preempt each other.",
          bands("Two or more bands.", 2),
          { most: POLICY_LIST_MOST },
        ),
      ),
    }),
  ),
  spread: optional(
    list("The default spread of workloads that declare none.", SPREAD, { most: POLICY_LIST_MOST }),
  ),
  health: optional(
    object<HealthTimes>("How long a node may be silent before its health changes.", {
      suspectAfterMs: usually(
        duration("From then on it takes no new work.", HEALTH_BOUNDS_MS.suspect),
        SUSPECT_AFTER_MS,
      ),
      unknownAfterMs: usually(
        duration("From then on its replicas are unknown.", HEALTH_BOUNDS_MS.unknown),
        UNKNOWN_AFTER_MS,
      ),
    }),
  ),
  retries: optional(
    object<RetryTerms>(
      "How often and how soon controllers retry. Only for the policy named active.",
      {
        attempts: usually(
          count("How many times an operation is sent before a resync.", RETRY_BOUNDS.attempts),
          RETRY_BOUNDS.attempts.most,
        ),
        backoffFirstMs: usually(
          duration("The wait after the first failure.", RETRY_BOUNDS.backoffFirstMs),
          100,
        ),
        backoffMostMs: usually(duration("The maximum wait.", RETRY_BOUNDS.backoffMostMs), 10_000),
      },
    ),
  ),
  autoscaling: optional(
    object<ScalingBounds>("The bounds of all autoscalers.", {
      minReplicas: optional(count("The minimum number of replicas.", SCALED)),
      maxReplicas: optional(count("The maximum number of replicas.", SCALED)),
      stepMost: optional(
        count("The maximum number of replicas that one step adds or removes.", {
          ...SCALED,
          least: 1,
        }),
      ),
      stabilizationMs: usually(
        duration("How long a lower load must last before scaling down.", {
          least: 0,
          most: STABILIZATION_MOST_MS,
        }),
        0,
      ),
    }),
  ),
  recovery: optional(object<RecoveryRules>(RECOVERY_ABOUT, RECOVERY_FIELDS)),
  degraded: optional(
    object<DegradedRules>(
      "Which work may be bound in a region while a cut-off override marks it as partitioned. Only for the policy named default.",
      {
        lowRisk: list(
          "Low-risk classes. Only their work is bound there.",
          text("A priority class; an empty string means work without a class."),
          { most: POLICY_LIST_MOST, repeated: "refused" },
        ),
        confirmWithinMs: usually(
          duration(
            "How long such a binding may wait for confirmation. Then its replica is stopped.",
            CONFIRM_BOUNDS_MS,
          ),
          CONFIRM_WITHIN_MS,
        ),
      },
    ),
  ),
  provisioning: optional(
    object<ProvisioningRules>("Limits for all node pools of a region together.", {
      maxNodes: optional(
        count("The maximum number of nodes of all pools, provisioning ones included.", {
          least: 0,
          most: POOL_NODES_MOST,
        }),
      ),
      nodes: optional(
        count("The maximum number of requests in the period. Needs a period.", {
          least: 1,
          most: PACE_NODES_MOST,
        }),
      ),
      periodMs: optional(
        duration("The period for that number of requests.", {
          least: POOL_TIME_LEAST_MS,
          most: POOL_TIME_MOST_MS,
        }),
      ),
    }),
  ),
  onRollback: optional(
    object<Partial<RollbackPlan>>(
      "What happens to decisions made under it on a rollback to an earlier revision.",
      {
        bindings: way("bindings"),
        reservations: way("room reserved by preemption"),
      },
    ),
  ),
};
