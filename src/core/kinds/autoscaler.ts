/** Autoscaler: how many replicas a workload has, by what is measured of it. */
import {
  type AutoscalerSpec,
  HOLD_MOST_MS,
  MANUAL_HOLD_MS,
  type Pace,
  PACE_DOWN,
  PACE_UP,
  PERCENT_MOST,
  type ScalePace,
  type ScaleTarget,
  TARGET_MOST,
  WINDOW_MOST_MS,
} from "../model/autoscaler.ts";
import { workloadKey } from "../model/ids.ts";
import { SCALED_REPLICAS_MOST } from "../model/policy.ts";
import { count, duration, name, object, oneOf, optional, usually, word } from "./fields/field.ts";
import type { BrokenRule, WrittenDefinition } from "./kind-definition.ts";

// A workload that somebody has scaled to nothing is switched off, and no autoscaler brings it back (AS4).
const REPLICAS = { least: 1, most: SCALED_REPLICAS_MOST } as const;
const TARGET = { least: 1, most: TARGET_MOST } as const;
const WINDOW_MS = { least: 0, most: WINDOW_MOST_MS } as const;

const pace = (more: string, usual: Pace) =>
  object<ScalePace>(`How fast it may ask for ${more}.`, {
    windowMs: usually(
      duration(`How long ${more} must have been wished for.`, WINDOW_MS),
      usual.windowMs,
    ),
    replicas: optional(
      count("The most replicas in one step.", { least: 0, most: SCALED_REPLICAS_MOST }),
    ),
    percent: optional(
      count("The most in one step, as a part of those there are. The larger of both counts.", {
        least: 0,
        most: PERCENT_MOST,
      }),
    ),
    periodMs: usually(
      duration("The least time between two such steps.", WINDOW_MS),
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
  about: "Gives a service as many replicas as its load asks for.",
  spec: {
    about: "What is scaled, by what, and within which bounds.",
    fields: {
      workload: name("A service of the same tenant. Nobody else scales it."),
      min: count("The fewest replicas.", REPLICAS),
      max: count("The most replicas.", REPLICAS),
      target: oneOf<ScaleTarget>("What one replica is to have. One of these.", {
        cpu: count("Percent of the CPU that it asks for.", TARGET),
        requests: count("Requests a second.", TARGET),
        metric: object<Required<Omit<ScaleTarget, "kind">>>("Whatever is pushed under a name.", {
          name: word("What it is pushed as."),
          value: count("What one replica is to have of it.", TARGET),
        }),
      }),
      readiness: optional(
        count("So many are to serve: one more is asked for each that is lost for now.", REPLICAS),
      ),
      up: optional(pace("more", PACE_UP)),
      down: optional(pace("fewer", PACE_DOWN)),
      manualHoldMs: usually(
        duration("How long a number is left alone that somebody else wrote.", {
          least: 0,
          most: HOLD_MOST_MS,
        }),
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
