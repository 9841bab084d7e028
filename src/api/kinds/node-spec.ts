/** A node's spec between what an operator writes and what the core decides on. */
import type { NodeSpec, Taint } from "../../core/model/objects.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { cpuText, memoryText } from "./text/amounts-text.ts";
import { readPools, writePools } from "./text/device-text.ts";
import type { NodeSpecText } from "./node-schema.ts";
import { WITHIN_A_DAY } from "../schema/shapes.ts";
import type { SpecReader } from "./spec-reader.ts";

export function readNodeSpec(spec: NodeSpecText, reader: SpecReader): NodeSpec {
  const { region, zone, capacity } = spec;
  const pools = readPools(capacity, reader);
  const devices = pools.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    region,
    zone,
    capacity: reader.amounts("spec.capacity", capacity, 1000 * devices),
    pools,
    taints: readTaints(spec.taints ?? []),
    cordons: (spec.cordons ?? []).map(({ holder, reason = "" }) => ({ holder, reason })),
    draining: spec.draining ?? false,
    ...readDrain(spec, reader),
    ...(spec.maxReplicas === undefined ? {} : { maxReplicas: spec.maxReplicas }),
    // Hard is the default.
    ...(spec.supply === "soft" ? { supply: spec.supply } : {}),
    ...(spec.pool === undefined ? {} : { pool: spec.pool }),
  };
}

export const readTaints = (taints: NonNullable<NodeSpecText["taints"]>): readonly Taint[] =>
  taints.map(({ key, value = "", effect = "no-schedule" }) => ({ key, value, effect }));

export function writeNodeSpec(spec: NodeSpec): NodeSpecText {
  const { region, zone, capacity, taints, cordons, draining, maxReplicas, supply } = spec;
  return {
    region,
    zone,
    capacity: {
      cpu: cpuText(capacity.cpuMillis),
      memory: memoryText(capacity.memoryMiB),
      ...writePools(spec.pools),
    },
    ...(taints.length === 0 ? {} : { taints: taints.map(writeTaint) }),
    ...(cordons.length === 0
      ? {}
      : { cordons: cordons.map(({ holder, reason }) => ({ holder, reason })) }),
    ...(draining ? { draining } : {}),
    ...writeDrain(spec),
    ...(maxReplicas === undefined ? {} : { maxReplicas }),
    ...(supply === "soft" ? { supply } : {}),
    ...(spec.pool === undefined ? {} : { pool: spec.pool }),
  };
}

function readDrain({ drain }: NodeSpecText, reader: SpecReader): Pick<NodeSpec, "drain"> {
  if (drain === undefined) return {};
  const { holder, reason = "", deadline, atDeadline } = drain;
  const deadlineMs =
    deadline === undefined
      ? {}
      : { deadlineMs: reader.durationMs("spec.drain.deadline", deadline, WITHIN_A_DAY) };
  return {
    drain: { holder, reason, ...deadlineMs, ...(atDeadline === "force" ? { atDeadline } : {}) },
  };
}

function writeDrain({ drain }: NodeSpec): Pick<NodeSpecText, "drain"> {
  if (drain === undefined) return {};
  const { holder, reason, deadlineMs, atDeadline } = drain;
  return {
    drain: {
      holder,
      reason,
      ...(deadlineMs === undefined ? {} : { deadline: formatDuration(deadlineMs) }),
      ...(atDeadline === undefined ? {} : { atDeadline }),
    },
  };
}

export const writeTaint = ({ key, value, effect }: Taint) => ({
  key,
  value,
  ...(effect === "no-schedule" ? {} : { effect }),
});
