/** The rules of a policy revision as a user writes them, durations as text. */
import { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import {
  HEALTH_BOUNDS_MS,
  type HealthTimes,
  POLICY_LIST_MOST,
  type PolicyRules,
  RETRY_BOUNDS,
  type RetryTerms,
  ROLLBACK_WAYS,
  SCALED_REPLICAS_MOST,
  type ScalingBounds,
  SCORINGS,
  STABILIZATION_MOST_MS,
} from "../../core/model/policy.ts";
import { SUSPECT_AFTER_MS, UNKNOWN_AFTER_MS } from "../../core/model/timing.ts";
import { formatDuration } from "../../quantity/duration.ts";
import type { FieldMistake } from "../api-kind.ts";
import { choice, duration, fields, wholeNumber, word } from "../schema/shapes.ts";
import { degradedSchema, readDegraded, writeDegraded } from "./degraded-rules.ts";
import { spread as spreadSchema } from "./placement-schema.ts";
import { provisioningSchema, readProvisioning, writeProvisioning } from "./provisioning-rules.ts";
import { readRecoveryRules, recoveryRulesSchema, writeRecoveryRules } from "./recovery-rules.ts";
import { SpecReader } from "./spec-reader.ts";

const bands = (description: string) =>
  Type.Array(word("A band of priority classes."), { description, maxItems: POLICY_LIST_MOST });

const preemption = fields("Limits on preemption, in addition to the priority classes.", {
  never: Type.Optional(bands("Bands whose work never preempts.")),
  apart: Type.Optional(
    Type.Array(bands("Two or more bands."), {
      description: "Sets of bands whose work does not preempt each other.",
      maxItems: POLICY_LIST_MOST,
    }),
  ),
});

const health = fields("How long a node may be silent before its health changes.", {
  suspectAfter: Type.Optional(
    duration(
      "From then on it takes no new work.",
      HEALTH_BOUNDS_MS.suspect,
      formatDuration(SUSPECT_AFTER_MS),
    ),
  ),
  unknownAfter: Type.Optional(
    duration(
      "From then on its replicas are unknown.",
      HEALTH_BOUNDS_MS.unknown,
      formatDuration(UNKNOWN_AFTER_MS),
    ),
  ),
});

const { attempts } = RETRY_BOUNDS;
const retries = fields(
  "How often and how soon controllers retry. Only for the policy named active.",
  {
    attempts: Type.Optional(
      wholeNumber("How many times an operation is sent before a resync.", {
        from: attempts.least,
        to: attempts.most,
        byDefault: attempts.most,
      }),
    ),
    backoffFirst: Type.Optional(
      duration("The wait after the first failure.", RETRY_BOUNDS.backoffFirstMs, "100ms"),
    ),
    backoffMost: Type.Optional(duration("The maximum wait.", RETRY_BOUNDS.backoffMostMs, "10s")),
  },
);

const STABILIZATION_MS = { least: 0, most: STABILIZATION_MOST_MS };
const count = { from: 0, to: SCALED_REPLICAS_MOST };
const autoscaling = fields("The bounds of all autoscalers.", {
  minReplicas: Type.Optional(wholeNumber("The minimum number of replicas.", count)),
  maxReplicas: Type.Optional(wholeNumber("The maximum number of replicas.", count)),
  stepMost: Type.Optional(
    wholeNumber("The maximum number of replicas that one step adds or removes.", {
      ...count,
      from: 1,
    }),
  ),
  stabilization: Type.Optional(
    duration("How long a lower load must last before scaling down.", STABILIZATION_MS, "0s"),
  ),
});

const way = (what: string) => choice(`What happens to ${what}.`, ROLLBACK_WAYS, "preserve");

export const rulesSchema = fields("The rules for decisions.", {
  scoring: choice(
    "best-fit fills nodes up, spread-out prefers the emptiest, and fragmentation keeps the remaining devices useful for the mix of work seen so far.",
    SCORINGS,
  ),
  preemption: Type.Optional(preemption),
  spread: Type.Optional(
    Type.Array(spreadSchema, {
      description: "The default spread of workloads that declare none.",
      maxItems: POLICY_LIST_MOST,
    }),
  ),
  health: Type.Optional(health),
  retries: Type.Optional(retries),
  autoscaling: Type.Optional(autoscaling),
  recovery: Type.Optional(recoveryRulesSchema),
  degraded: Type.Optional(degradedSchema),
  provisioning: Type.Optional(provisioningSchema),
  onRollback: Type.Optional(
    fields("What happens to decisions made under it on a rollback to an earlier revision.", {
      bindings: Type.Optional(way("bindings")),
      reservations: Type.Optional(way("room reserved by preemption")),
    }),
  ),
});

type RulesText = Type.Static<typeof rulesSchema>;

export function readRules(written: unknown): Desired | readonly FieldMistake[] {
  const rules = written as RulesText;
  const reader = new SpecReader();
  const spec: PolicyRules = {
    scoring: rules.scoring,
    ...(rules.preemption === undefined ? {} : { preemption: rules.preemption }),
    ...(rules.spread === undefined ? {} : { spread: readSpread(rules.spread) }),
    ...(rules.health === undefined ? {} : { health: readHealth(rules.health, reader) }),
    ...(rules.retries === undefined ? {} : { retries: readRetries(rules.retries, reader) }),
    ...(rules.autoscaling === undefined
      ? {}
      : { autoscaling: readScaling(rules.autoscaling, reader) }),
    ...(rules.recovery === undefined
      ? {}
      : { recovery: readRecoveryRules(rules.recovery, reader) }),
    ...(rules.provisioning === undefined
      ? {}
      : { provisioning: readProvisioning(rules.provisioning, reader) }),
    ...(rules.degraded === undefined ? {} : { degraded: readDegraded(rules.degraded, reader) }),
    ...(rules.onRollback === undefined ? {} : { onRollback: rules.onRollback }),
  };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "PolicyRevision", spec };
}

const readSpread = (list: NonNullable<RulesText["spread"]>) =>
  list.map(({ by, maxSkew = 1, soft = false }) => ({ by, maxSkew, ...(soft ? { soft } : {}) }));

function readHealth(
  { suspectAfter, unknownAfter }: NonNullable<RulesText["health"]>,
  reader: SpecReader,
): HealthTimes {
  const { suspect, unknown } = HEALTH_BOUNDS_MS;
  return {
    ...(suspectAfter === undefined
      ? {}
      : { suspectAfterMs: reader.durationMs("spec.health.suspectAfter", suspectAfter, suspect) }),
    ...(unknownAfter === undefined
      ? {}
      : { unknownAfterMs: reader.durationMs("spec.health.unknownAfter", unknownAfter, unknown) }),
  };
}

function readRetries(
  { attempts: most, backoffFirst, backoffMost }: NonNullable<RulesText["retries"]>,
  reader: SpecReader,
): RetryTerms {
  const { backoffFirstMs, backoffMostMs } = RETRY_BOUNDS;
  return {
    ...(most === undefined ? {} : { attempts: most }),
    ...(backoffFirst === undefined
      ? {}
      : {
          backoffFirstMs: reader.durationMs(
            "spec.retries.backoffFirst",
            backoffFirst,
            backoffFirstMs,
          ),
        }),
    ...(backoffMost === undefined
      ? {}
      : {
          backoffMostMs: reader.durationMs("spec.retries.backoffMost", backoffMost, backoffMostMs),
        }),
  };
}

function readScaling(
  { stabilization, ...counts }: NonNullable<RulesText["autoscaling"]>,
  reader: SpecReader,
): ScalingBounds {
  if (stabilization === undefined) return counts;
  const field = "spec.autoscaling.stabilization";
  return { ...counts, stabilizationMs: reader.durationMs(field, stabilization, STABILIZATION_MS) };
}

export function writeRules(rules: PolicyRules): RulesText {
  const { scoring, preemption: bandRules, spread, onRollback } = rules;
  return {
    scoring,
    ...(bandRules === undefined ? {} : { preemption: writeBands(bandRules) }),
    ...(spread === undefined ? {} : { spread: spread.map((each) => ({ ...each })) }),
    ...(rules.health === undefined ? {} : { health: writeHealth(rules.health) }),
    ...(rules.retries === undefined ? {} : { retries: writeRetries(rules.retries) }),
    ...(rules.autoscaling === undefined ? {} : { autoscaling: writeScaling(rules.autoscaling) }),
    ...(rules.recovery === undefined ? {} : { recovery: writeRecoveryRules(rules.recovery) }),
    ...(rules.provisioning === undefined
      ? {}
      : { provisioning: writeProvisioning(rules.provisioning) }),
    ...(rules.degraded === undefined ? {} : { degraded: writeDegraded(rules.degraded) }),
    ...(onRollback === undefined ? {} : { onRollback: { ...onRollback } }),
  };
}

const writeBands = ({ never, apart }: NonNullable<PolicyRules["preemption"]>) => ({
  ...(never === undefined ? {} : { never: [...never] }),
  ...(apart === undefined ? {} : { apart: apart.map((set) => [...set]) }),
});

const writeHealth = ({ suspectAfterMs, unknownAfterMs }: HealthTimes) => ({
  ...(suspectAfterMs === undefined ? {} : { suspectAfter: formatDuration(suspectAfterMs) }),
  ...(unknownAfterMs === undefined ? {} : { unknownAfter: formatDuration(unknownAfterMs) }),
});

const writeRetries = ({ attempts: most, backoffFirstMs, backoffMostMs }: RetryTerms) => ({
  ...(most === undefined ? {} : { attempts: most }),
  ...(backoffFirstMs === undefined ? {} : { backoffFirst: formatDuration(backoffFirstMs) }),
  ...(backoffMostMs === undefined ? {} : { backoffMost: formatDuration(backoffMostMs) }),
});

const writeScaling = ({ stabilizationMs, ...counts }: ScalingBounds) => ({
  ...counts,
  ...(stabilizationMs === undefined ? {} : { stabilization: formatDuration(stabilizationMs) }),
});
