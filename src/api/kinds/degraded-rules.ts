/** What a partitioned region may still be given, as a user writes it in a policy revision. */
import { Type } from "typebox";
import {
  CONFIRM_BOUNDS_MS,
  CONFIRM_WITHIN_MS,
  type DegradedRules,
  POLICY_LIST_MOST,
} from "../../core/model/policy.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { duration, fields } from "../schema/shapes.ts";
import type { SpecReader } from "./spec-reader.ts";

export const degradedSchema = fields(
  "Which work may be bound in a region while a mark-partitioned override marks it as partitioned. Only for the policy named default.",
  {
    lowRisk: Type.Array(
      Type.String({ description: "A priority class; an empty string means work without a class." }),
      {
        description: "Low-risk classes. Only their work is bound there.",
        maxItems: POLICY_LIST_MOST,
        uniqueItems: true,
      },
    ),
    confirmWithin: Type.Optional(
      duration(
        "How long such a binding may wait for confirmation. Then its replica is stopped.",
        CONFIRM_BOUNDS_MS,
        formatDuration(CONFIRM_WITHIN_MS),
      ),
    ),
  },
);

type DegradedText = Type.Static<typeof degradedSchema>;

export function readDegraded(
  { lowRisk, confirmWithin }: DegradedText,
  reader: SpecReader,
): DegradedRules {
  if (confirmWithin === undefined) return { lowRisk };
  const field = "spec.degraded.confirmWithin";
  return { lowRisk, confirmWithinMs: reader.durationMs(field, confirmWithin, CONFIRM_BOUNDS_MS) };
}

export const writeDegraded = ({ lowRisk, confirmWithinMs }: DegradedRules): DegradedText => ({
  lowRisk: [...lowRisk],
  ...(confirmWithinMs === undefined ? {} : { confirmWithin: formatDuration(confirmWithinMs) }),
});
