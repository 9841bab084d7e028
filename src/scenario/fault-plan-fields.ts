/**
 * What a world says of its own faults: `losses: [{ region: eu-central, from: 40s, to: 60s, down: 6m
 * }]`, and which kinds the swarm draws over it (`faults: [lose-reply, restart-leader]`). A scenario
 * lists its faults itself and draws neither.
 */
import { formatDuration } from "../quantity/duration.ts";
import type { FaultName } from "../sim/faults/fault.ts";
import type { RegionLoss } from "../sim/faults/region-loss.ts";
import type { World } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { FAULT_NAMES } from "./fault-fields.ts";
import { readName, type References } from "./references.ts";

export const FAULT_PLAN_FIELDS = ["losses", "faults"] as const;

type FaultPlan = Pick<World, (typeof FAULT_PLAN_FIELDS)[number]>;

export function readFaultPlan(fields: Fields, references: References): FaultPlan {
  return {
    ...(fields.has("losses")
      ? { losses: fields.need("losses").list((item) => readLoss(item, references)) }
      : {}),
    ...(fields.has("faults") ? { faults: fields.need("faults").list(readFaultName) } : {}),
  };
}

const readFaultName = (cursor: Cursor): FaultName => cursor.choice(FAULT_NAMES);

function readLoss(cursor: Cursor, references: References): RegionLoss {
  const fields = cursor.fields(["region", "from", "to", "down"]);
  const regionAt = fields.need("region");
  const region = readName(regionAt);
  references.refer("region", region, regionAt);
  const fromMs = fields.need("from").durationMs();
  const to = fields.need("to");
  const toMs = to.durationMs();
  if (toMs < fromMs) to.expected(`a time at or after "from"`);
  return { region, fromMs, toMs, downMs: fields.need("down").durationMs(1) };
}

export const plainFaultPlan = ({ losses, faults }: FaultPlan): PlainFields => ({
  ...(losses === undefined ? {} : { losses: losses.map(plainLoss) }),
  ...(faults === undefined ? {} : { faults: [...faults] }),
});

const plainLoss = ({ region, fromMs, toMs, downMs }: RegionLoss): PlainFields => ({
  region,
  from: formatDuration(fromMs),
  to: formatDuration(toMs),
  down: formatDuration(downMs),
});
