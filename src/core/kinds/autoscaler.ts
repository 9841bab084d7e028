/** Autoscaler: how many replicas a workload has, by what is measured of it. */
import {
  type AutoscalerSpec,
  HOLD_MOST_MS,
  MANUAL_HOLD_MS,
  type FullScaleRate,
  PACE_DOWN,
  PACE_UP,
  PERCENT_MOST,
  type ScaleRate,
  type ScaleTarget,
  TARGET_MOST,
  WINDOW_MOST_MS,
} from "../model/autoscaler.ts";
import { workloadKey } from "../model/ids.ts";
import { SCALED_REPLICAS_MOST } from "../model/policy.ts";
import { count, duration, name, object, oneOf, optional, usually, word } from "./fields/field.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";

// A workload that somebody has scaled to nothing is switched off, and no autoscaler brings it back
// (AS4).
const REPLICAS = { least: 1, most: SCALED_REPLICAS_MOST } as const;
const TARGET = { least: 1, most: TARGET_MOST } as const;
const WINDOW_MS = { least: 0, most: WINDOW_MOST_MS } as const;

const pace = (more: string, usual: FullScaleRate) =>
  object<ScaleRate>(`How fast it may scale to ${more}.`, {
    windowMs: usually(
      duration(`How long ${more} must have been needed.`, WINDOW_MS),
      usual.windowMs,
    ),
    replicas: optional(
      count("The maximum number of replicas in one step.", {
        least: 0,
        most: SCALED_REPLICAS_MOST,
      }),
    ),
    percent: optional(
      count(
        "The maximum in one step, as a share of the current replicas. The larger of the two limits applies.",
        {
          least: 0,
          most: PERCENT_MOST,
        },
      ),
    ),
    periodMs: usually(
      duration("The minimum time between two such steps.", WINDOW_MS),
      usual.periodMs,
    ),
  });

export const autoscalerDefinition: WrittenDefinition<"Autoscaler"> = {
  kind: "Autoscaler",
  plural: "autoscalers",
  shortNames: ["as"],
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: 100,
  about: "Scales a service to its load.",
  spec: {
    about: "The workload to scale, its target and its bounds.",
    fields: {
      workload: name("A service of the same tenant. It can have only one autoscaler."),
      min: count("The minimum number of replicas.", REPLICAS),
      max: count("The maximum number of replicas.", REPLICAS),
      target: oneOf<ScaleTarget>("The target load of one replica. Exactly one of these.", {
        cpu: count("Percent of its CPU request.", TARGET),
        requests: count("Requests per second.", TARGET),
        metric: object<Required<Omit<ScaleTarget, "kind">>>("A metric that clients push.", {
          name: word("The name of the metric."),
          value: count("The target value of one replica.", TARGET),
        }),
      }),
      readiness: optional(
        count(
          "The number of replicas that should serve: the autoscaler adds one for each that does not serve for now.",
          REPLICAS,
        ),
      ),
      up: optional(pace("more", PACE_UP)),
      down: optional(pace("fewer", PACE_DOWN)),
      manualHoldMs: usually(
        duration(
          "How long the autoscaler pauses after another client sets the number of replicas.",
          {
            least: 0,
            most: HOLD_MOST_MS,
          },
        ),
        MANUAL_HOLD_MS,
      ),
    },
    example: {
      name: "risk-api",
      namespace: "payments",
      spec: { workload: "risk-api", min: 2, max: 20, target: { cpu: 70 } },
    },
    rules: [maxBelowMin, readinessAboveMax],
  },
  references: ({ workload }, namespace) => [
    { key: workloadKey(namespace, workload), mustStay: false },
  ],
};

function maxBelowMin({ min, max }: AutoscalerSpec): BrokenRule | undefined {
  const expected = `no fewer than min, which is ${min}`;
  return max < min ? { field: "max", found: max, expected } : undefined;
}

function readinessAboveMax({ readiness = 0, max }: AutoscalerSpec): BrokenRule | undefined {
  const expected = `no more than max, which is ${max}`;
  return readiness > max ? { field: "readiness", found: readiness, expected } : undefined;
}
