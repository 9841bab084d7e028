/**
 * Nodes in a file. One entry may stand for a whole pool: `{ count: 10, name: eu-a, … }` makes
 * `eu-a-1` to `eu-a-10`, all alike.
 */
import type { Cordon, NodeSpec, Taint } from "../core/model/objects.ts";
import type { WorldNode } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import {
  plainCpuAndMemory,
  putUnlessEmpty,
  readCpuMillis,
  readLabels,
  readMemoryMiB,
} from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { putPools, readPools } from "./device-fields.ts";
import { readEffect } from "./placement-fields.ts";
import { readName, type References } from "./references.ts";

const NODE_FIELDS = [
  "count",
  "name",
  "region",
  "zone",
  "capacity",
  "devices",
  "pools",
  "labels",
  "taints",
  "cordons",
  "draining",
  "maxReplicas",
  "supply",
] as const;

export function readNodes(cursor: Cursor, references: References): readonly WorldNode[] {
  const fields = cursor.fields(NODE_FIELDS);
  const nameAt = fields.need("name");
  const name = readName(nameAt);
  const labels = fields.get("labels", readLabels, {});
  const spec = readNodeSpec(fields, references);
  const names = fields.has("count") ? poolNames(name, fields.need("count").integer(1)) : [name];
  return names.map((each) => {
    references.declare("node", each, nameAt);
    return { name: each, labels, spec };
  });
}

function poolNames(pool: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${pool}-${index + 1}`);
}

function readNodeSpec(fields: Fields, references: References): NodeSpec {
  const place = readPlace(fields, references);
  const capacity = fields.need("capacity").fields(["cpu", "memory"]);
  const pools = readPools(fields);
  const devices = pools.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    ...place,
    capacity: {
      cpuMillis: readCpuMillis(capacity.need("cpu")),
      memoryMiB: readMemoryMiB(capacity.need("memory")),
      deviceMillis: 1000 * devices,
    },
    pools,
    taints: fields.get("taints", (list) => list.list(readTaint), []),
    cordons: fields.get("cordons", (list) => list.list(readCordon), []),
    draining: fields.get("draining", (flag) => flag.boolean(), false),
    ...(fields.has("maxReplicas") ? { maxReplicas: fields.need("maxReplicas").integer(0) } : {}),
    ...(fields.has("supply") ? { supply: fields.need("supply").choice(["hard", "soft"]) } : {}),
  };
}

/** A region and one of its zones, which the world is to have. */
export function readPlace(
  fields: Fields,
  references: References,
): Pick<NodeSpec, "region" | "zone"> {
  const regionAt = fields.need("region");
  const zoneAt = fields.need("zone");
  const region = readName(regionAt);
  const zone = readName(zoneAt);
  references.refer("region", region, regionAt);
  if (region !== "" && zone !== "") references.refer("zone", `${region}/${zone}`, zoneAt);
  return { region, zone };
}

export function readTaint(cursor: Cursor): Taint {
  const fields = cursor.fields(["key", "value", "effect"]);
  return {
    key: fields.need("key").text(),
    value: fields.get("value", (text) => text.text(), ""),
    effect: fields.get<Taint["effect"]>("effect", readEffect, "no-schedule"),
  };
}

function readCordon(cursor: Cursor): Cordon {
  const fields = cursor.fields(["holder", "reason"]);
  return {
    holder: fields.need("holder").text(),
    reason: fields.get("reason", (text) => text.text(), ""),
  };
}

export function plainNode(node: WorldNode): PlainFields {
  const { spec } = node;
  const plain: PlainFields = {
    name: node.name,
    region: spec.region,
    zone: spec.zone,
    capacity: plainCpuAndMemory(spec.capacity),
  };
  putPools(plain, spec.pools);
  putUnlessEmpty(plain, "labels", node.labels);
  putUnlessEmpty(
    plain,
    "taints",
    spec.taints.map(({ key, value, effect }) => ({
      key,
      value,
      ...(effect === "no-schedule" ? {} : { effect }),
    })),
  );
  putUnlessEmpty(
    plain,
    "cordons",
    spec.cordons.map(({ holder, reason }) => ({ holder, reason })),
  );
  if (spec.draining) plain["draining"] = true;
  if (spec.maxReplicas !== undefined) plain["maxReplicas"] = spec.maxReplicas;
  if (spec.supply !== undefined) plain["supply"] = spec.supply;
  return plain;
}
