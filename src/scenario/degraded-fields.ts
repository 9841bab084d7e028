/**
 * What a partitioned region may be given, in a file: `degraded: { lowRisk: [batch, ""],
 * confirmWithin: 30s }`.
 */
import type { DegradedRules } from "../core/model/policy.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";

export function readDegraded(cursor: Cursor): DegradedRules {
  const fields = cursor.fields(["lowRisk", "confirmWithin"]);
  return {
    lowRisk: fields.need("lowRisk").list((item) => item.text("the name of a priority class")),
    ...(fields.has("confirmWithin")
      ? { confirmWithinMs: fields.need("confirmWithin").durationMs() }
      : {}),
  };
}

export const plainDegraded = ({ lowRisk, confirmWithinMs }: DegradedRules): PlainFields => ({
  lowRisk: [...lowRisk],
  ...(confirmWithinMs === undefined ? {} : { confirmWithin: formatDuration(confirmWithinMs) }),
});
