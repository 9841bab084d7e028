/** Slo: an objective for the control plane itself, which is measured against it. */
import { hasClass, INDICATORS, SLO_WINDOW_MS, type SloSpec } from "../model/slo.ts";
import { byChoice, choice, duration, filled, name, optional, part } from "./fields/field.ts";
import { APPLIED_LAST, type BrokenRule, type WrittenDefinition } from "./kind-definition.ts";

/** A day: no wait that is longer is good. */
const THRESHOLD_MS = { least: 1, most: 86_400_000 } as const;

export const sloDefinition: WrittenDefinition<"Slo"> = {
  kind: "Slo",
  plural: "slos",
  shortNames: [],
  scope: "cluster",
  writer: "people",
  deletedBy: "user",
  isMeasured: true,
  applyStep: APPLIED_LAST,
  about: "A service level objective of the control plane itself, and its state.",
  spec: {
    about: "The measurement, its threshold and the objective.",
    fields: {
      indicator: choice(
        "bind-latency: from admission to bind. queue-wait: time in the queue. recovery: duration of recoveries of services. fairness: difference between the shares of tenants while one of them waits. explain-latency: duration of explanations. watch-lag: from commit to the watchers.",
        INDICATORS,
      ),
      priorityClass: optional(
        name(
          "Only replicas of this class count. For bind-latency and queue-wait only. Default: all.",
        ),
      ),
      threshold: byChoice(
        "Samples up to it are good: a duration such as 2s, or for fairness a share of all resources such as 10%.",
        "indicator",
        { fairness: part("") },
        duration("", THRESHOLD_MS),
      ),
      // An objective of everything has no budget, so that nothing could be said of how it is spent.
      objective: part("The share of good samples to reach, such as 99.9%."),
      windowMs: filled(duration("The window.", SLO_WINDOW_MS), 3_600_000),
    },
    example: {
      name: "critical-binds",
      spec: {
        indicator: "bind-latency",
        priorityClass: "critical",
        threshold: "2s",
        objective: "99.9%",
        window: "1h",
      },
    },
    rules: [classOfOthers],
  },
};

function classOfOthers({ indicator, priorityClass }: SloSpec): BrokenRule | undefined {
  if (priorityClass === undefined || hasClass(indicator)) return undefined;
  const only = "only bind-latency and queue-wait are measured by class";
  return {
    field: "priorityClass",
    found: priorityClass,
    expected: `none: ${only}`,
    message: `found "${priorityClass}"; ${only}: leave it out.`,
  };
}
