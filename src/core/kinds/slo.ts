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
  about: "An objective for the control plane itself, and how it goes.",
  spec: {
    about: "What is measured, and how much of it is to be good.",
    fields: {
      indicator: choice(
        "bind-latency is from admission to bind, queue-wait the time in the queue, recovery how long services took to be back, fairness how far tenants are apart while one of them waits, explain-latency how long explanations took, watch-lag from publishing to telling watchers.",
        INDICATORS,
      ),
      priorityClass: optional(
        name(
          "Only replicas of this class count. Of bind-latency and queue-wait only. Left out: all.",
        ),
      ),
      threshold: byChoice(
        "What is not above it is good: a duration such as 2s, or of fairness a part of all there is such as 10%.",
        "indicator",
        { fairness: part("") },
        duration("", THRESHOLD_MS),
      ),
      // An objective of everything has no budget, so that nothing could be said of how it is spent.
      objective: part("How much is to be good, such as 99.9%."),
      windowMs: filled(duration("Over how long a time.", SLO_WINDOW_MS), 3_600_000),
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
