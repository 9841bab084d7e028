/**
 * A recovery objective as it stands in a file: `recovery: { within: 5m, replicas: 4, in: [eu-west]
 * }`.
 */
import {
  RECOVERY_REPLICAS_MAX,
  RECOVERY_WITHIN_MAX_MS,
  type RecoverySpec,
} from "../core/model/recovery.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";

export function readRecovery(cursor: Cursor, references: References): RecoverySpec {
  const fields = cursor.fields(["within", "replicas", "in"]);
  const within = fields.need("within");
  const withinMs = within.durationMs(1);
  if (withinMs > RECOVERY_WITHIN_MAX_MS) within.expected("a duration of up to 24h");
  const count = fields.need("replicas");
  const replicas = count.integer(1);
  if (replicas > RECOVERY_REPLICAS_MAX) count.expected(`at most ${RECOVERY_REPLICAS_MAX}`);
  const regions = fields.need("in").list((region) => {
    const name = readName(region);
    references.refer("region", name, region);
    return name;
  });
  return { withinMs, replicas, regions };
}

export const plainRecovery = ({ withinMs, replicas, regions }: RecoverySpec): PlainFields => ({
  within: formatDuration(withinMs),
  replicas,
  in: [...regions],
});
