/**
 * How soon a service is to be back after a loss, and where room is kept for it, as it is written in
 * a spec.
 */
import { Type } from "typebox";
import type { WorkloadSpec } from "../../../core/model/objects.ts";
import { RECOVERY_REPLICAS_MAX, type RecoverySpec } from "../../../core/model/recovery.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import { duration, fields, text, wholeNumber, WITHIN_A_DAY } from "../../schema/shapes.ts";
import type { SpecReader } from "../spec-reader.ts";

export const recoveryFields = fields(
  "The recovery objective of a service after it loses replicas. The plane reserves headroom for them.",
  {
    within: duration(
      "The time within which the replicas must serve again after a loss, such as 5m.",
      WITHIN_A_DAY,
    ),
    replicas: wholeNumber("The number of replicas; at most spec.replicas count.", {
      from: 1,
      to: RECOVERY_REPLICAS_MAX,
    }),
    in: Type.Array(text("The name of a region."), {
      minItems: 1,
      uniqueItems: true,
      description:
        "The regions with the recovery reserve, for replicas that do not run there already.",
    }),
  },
);

type RecoveryText = Type.Static<typeof recoveryFields>;

interface SpecText {
  readonly recovery?: RecoveryText;
  readonly type?: string;
  readonly gang?: unknown;
  readonly placement?: { readonly regions?: readonly string[] };
}

export function readRecovery(spec: SpecText, reader: SpecReader): RecoverySpec | undefined {
  const { recovery, type, gang, placement } = spec;
  if (recovery === undefined) return undefined;
  if (type === "batch" || gang !== undefined) {
    const found = type === "batch" ? "a batch" : "a gang";
    reader.mistake("spec.recovery", `found on ${found}; expected on a service without gang.`);
  }
  const allowed = placement?.regions ?? [];
  for (const [at, region] of recovery.in.entries()) {
    if (allowed.length === 0 || allowed.includes(region)) continue;
    const expected = `one of the regions of its placement: ${allowed.join(", ")}.`;
    reader.mistake(`spec.recovery.in[${at}]`, `found ${region}; expected ${expected}`);
  }
  const withinMs = reader.durationMs("spec.recovery.within", recovery.within, WITHIN_A_DAY);
  return { withinMs, replicas: recovery.replicas, regions: recovery.in };
}

export function writeRecovery({ recovery }: WorkloadSpec): { recovery?: RecoveryText } {
  if (recovery === undefined) return {};
  const { withinMs, replicas, regions } = recovery;
  return { recovery: { within: formatDuration(withinMs), replicas, in: [...regions] } };
}
