/**
 * The shape of what a region's plane reports. The authority trusts the shape of a command, so a
 * malformed report must not reach it.
 */
import { Ajv, type ValidateFunction } from "ajv";
import { Type } from "typebox";
import { REGION_MOST } from "../../core/model/limits/region-limits.ts";
import type { RegionReport } from "../../core/protocol/region-exchange.ts";
import { count, exactly, text } from "../http/wire-shapes.ts";

const amounts = exactly({ cpuMillis: count, memoryMiB: count, deviceMillis: count });

const grant = exactly({
  tenant: text,
  version: count,
  held: amounts,
  demand: exactly({ charged: amounts, waiting: amounts, largest: amounts, smallest: amounts }),
});

const report = exactly({
  region: text,
  incarnation: count,
  global: Type.Optional(count),
  learning: Type.Boolean(),
  epoch: count,
  revision: count,
  from: count,
  askedMs: count,
  grants: Type.Array(grant, { maxItems: REGION_MOST.grantsPerExchange }),
  objectsTo: count,
  objectsDigest: Type.Integer(),
  summary: exactly({
    nodes: count,
    capacity: amounts,
    free: amounts,
    replicas: count,
    serving: count,
    queued: count,
  }),
});

const ajv = new Ajv({ strict: false, code: { optimize: false } });
let compiled: ValidateFunction<RegionReport> | undefined;

/** Compiled on first use: most planes are not asked. */
export function reportCheck(): ValidateFunction<RegionReport> {
  compiled ??= ajv.compile<RegionReport>(report);
  return compiled;
}
