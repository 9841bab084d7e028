/** The part of a policy that bounds all node pools of a region, as a user writes it. */
import { Type } from "typebox";
import {
  PACE_NODES_MOST,
  POOL_NODES_MOST,
  POOL_TIME_LEAST_MS,
  POOL_TIME_MOST_MS,
  type ProvisioningRules,
} from "../../core/model/node/node-pool.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { duration, fields, wholeNumber } from "../schema/shapes.ts";
import type { SpecReader } from "./spec-reader.ts";

const PERIOD_MS = { least: POOL_TIME_LEAST_MS, most: POOL_TIME_MOST_MS };

export const provisioningSchema = fields("Limits for all node pools of a region together.", {
  maxNodes: Type.Optional(
    wholeNumber("The maximum number of nodes of all pools, provisioning ones included.", {
      from: 0,
      to: POOL_NODES_MOST,
    }),
  ),
  nodes: Type.Optional(
    wholeNumber("The maximum number of requests in the period. Needs a period.", {
      from: 1,
      to: PACE_NODES_MOST,
    }),
  ),
  period: Type.Optional(duration("The period for that number of requests.", PERIOD_MS)),
});
type ProvisioningText = Type.Static<typeof provisioningSchema>;

export function readProvisioning(
  { period, ...counts }: ProvisioningText,
  reader: SpecReader,
): ProvisioningRules {
  if ((period === undefined) !== (counts.nodes === undefined)) {
    const field = "spec.provisioning.period";
    reader.mistake(field, "found one of nodes and period; expected both of them or none.");
  }
  if (period === undefined) return counts;
  return {
    ...counts,
    periodMs: reader.durationMs("spec.provisioning.period", period, PERIOD_MS),
  };
}

export const writeProvisioning = ({
  periodMs,
  ...counts
}: ProvisioningRules): ProvisioningText => ({
  ...counts,
  ...(periodMs === undefined ? {} : { period: formatDuration(periodMs) }),
});
