/**
 * Node pools in a file, with whom the world has make their machines: `{ name: burst, region: eu,
 * zone: eu-a, capacity: { cpu: 4, memory: 8Gi }, maxNodes: 3, pace: { nodes: 1, period: 30s },
 * pendingFor: 10s, boot: { from: 1s, to: 5s }, refusedPercent: 20 }`.
 */
import type { NodePoolSpec, PoolDevices } from "../core/model/node/node-pool.ts";
import type { Taint } from "../core/model/objects.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { WorldNodePool } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import { plainCpuAndMemory, readCpuMillis, readLabels, readMemoryMiB } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readPlace, readTaint } from "./node-fields.ts";
import { readName, type References } from "./references.ts";

const FIELDS = [
  "name",
  "region",
  "zone",
  "capacity",
  "pools",
  "labels",
  "taints",
  "maxReplicas",
  "maxNodes",
  "pace",
  "pendingFor",
  "readyWithin",
  "idleAfter",
  "boot",
  "refusedPercent",
  "lostPercent",
  "silentPercent",
] as const;

/** Nobody but the simulator makes these machines, so they need no other name. */
const PROVISIONER = "cloud";

/** What a pool gets that does not say how long its machines take. */
const BOOT = { least: 1_000, most: 5_000 } as const;

export function readNodePool(cursor: Cursor, references: References): WorldNodePool {
  const fields = cursor.fields(FIELDS);
  const percent = (field: "refusedPercent" | "lostPercent" | "silentPercent"): number =>
    fields.get(field, (of) => of.integer(0), 0);
  return {
    name: readName(fields.need("name")),
    spec: readSpec(fields, references),
    bootMs: fields.get<WorldNodePool["bootMs"]>("boot", readBoot, BOOT),
    refusedPercent: percent("refusedPercent"),
    lostPercent: percent("lostPercent"),
    silentPercent: percent("silentPercent"),
  };
}

function readBoot(cursor: Cursor): WorldNodePool["bootMs"] {
  const fields = cursor.fields(["from", "to"]);
  return { least: fields.need("from").durationMs(), most: fields.need("to").durationMs() };
}

function readSpec(fields: Fields, references: References): NodePoolSpec {
  const place = readPlace(fields, references);
  const capacity = fields.need("capacity").fields(["cpu", "memory"]);
  const pools = fields.get("pools", (list) => list.list(readDevices), []);
  const pace = fields.need("pace").fields(["nodes", "period"]);
  return {
    ...place,
    capacity: {
      cpuMillis: readCpuMillis(capacity.need("cpu")),
      memoryMiB: readMemoryMiB(capacity.need("memory")),
      deviceMillis: pools.reduce((sum, { count }) => sum + 1000 * count, 0),
    },
    ...(pools.length === 0 ? {} : { pools }),
    ...(fields.has("labels") ? { labels: readLabels(fields.need("labels")) } : {}),
    ...(fields.has("taints") ? { taints: fields.need("taints").list(readTaint) } : {}),
    ...(fields.has("maxReplicas") ? { maxReplicas: fields.need("maxReplicas").integer(0) } : {}),
    provisioner: PROVISIONER,
    maxNodes: fields.need("maxNodes").integer(0),
    pace: { nodes: pace.need("nodes").integer(1), periodMs: pace.need("period").durationMs() },
    ...readTimes(fields),
  };
}

function readDevices(cursor: Cursor): PoolDevices {
  const fields = cursor.fields(["class", "model", "count"]);
  return {
    class: fields.need("class").text(),
    model: fields.get("model", (text) => text.text(), ""),
    count: fields.need("count").integer(1),
  };
}

type Times = Pick<NodePoolSpec, "pendingForMs" | "readyWithinMs" | "idleAfterMs">;

const readTimes = (fields: Fields): Times => ({
  ...(fields.has("pendingFor") ? { pendingForMs: fields.need("pendingFor").durationMs() } : {}),
  ...(fields.has("readyWithin") ? { readyWithinMs: fields.need("readyWithin").durationMs() } : {}),
  ...(fields.has("idleAfter") ? { idleAfterMs: fields.need("idleAfter").durationMs() } : {}),
});

export function plainNodePool(of: WorldNodePool): PlainFields {
  const { name, spec, bootMs, refusedPercent, lostPercent, silentPercent } = of;
  const { pools, labels, taints, maxReplicas } = spec;
  return {
    name,
    region: spec.region,
    zone: spec.zone,
    capacity: plainCpuAndMemory(spec.capacity),
    ...(pools === undefined ? {} : { pools: pools.map(plainDevices) }),
    ...(labels === undefined ? {} : { labels: { ...labels } }),
    ...(taints === undefined ? {} : { taints: taints.map((taint: Taint) => ({ ...taint })) }),
    ...(maxReplicas === undefined ? {} : { maxReplicas }),
    maxNodes: spec.maxNodes,
    pace: { nodes: spec.pace.nodes, period: formatDuration(spec.pace.periodMs) },
    ...plainTimes(spec),
    boot: { from: formatDuration(bootMs.least), to: formatDuration(bootMs.most) },
    ...(refusedPercent === 0 ? {} : { refusedPercent }),
    ...(lostPercent === 0 ? {} : { lostPercent }),
    ...(silentPercent === 0 ? {} : { silentPercent }),
  };
}

const plainDevices = ({ model, ...of }: PoolDevices): PlainFields => ({
  ...of,
  ...(model === "" ? {} : { model }),
});

const plainTimes = ({ pendingForMs, readyWithinMs, idleAfterMs }: Times): PlainFields => ({
  ...(pendingForMs === undefined ? {} : { pendingFor: formatDuration(pendingForMs) }),
  ...(readyWithinMs === undefined ? {} : { readyWithin: formatDuration(readyWithinMs) }),
  ...(idleAfterMs === undefined ? {} : { idleAfter: formatDuration(idleAfterMs) }),
});
