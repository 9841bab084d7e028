/**
 * Nodes in a file. One entry may stand for a whole pool: `{ count: 10, name: eu-a, … }` makes `eu-a-1` to
 * `eu-a-10`, all alike.
 */
import type { Cordon, NodeSpec, Taint } from "../core/model/objects.ts";
import type { WorldNode } from "../sim/world.ts";
import {
  plainCpuAndMemory,
  type Plain,
  type PlainFields,
  putUnlessEmpty,
  readCpuMillis,
  readLabels,
  readMemoryMiB,
} from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, type References } from "./references.ts";

const NODE_FIELDS = [
  "count",
  "name",
  "region",
  "zone",
  "capacity",
  "devices",
  "labels",
  "taints",
  "cordons",
  "draining",
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
  const regionAt = fields.need("region");
  const zoneAt = fields.need("zone");
  const region = readName(regionAt);
  const zone = readName(zoneAt);
  references.refer("region", region, regionAt);
  if (region !== "" && zone !== "") references.refer("zone", `${region}/${zone}`, zoneAt);
  const capacity = fields.need("capacity").fields(["cpu", "memory"]);
  const devices = fields.get("devices", readNodeDevices, { deviceClass: "", deviceIds: [] });
  return {
    region,
    zone,
    capacity: {
      cpuMillis: readCpuMillis(capacity.need("cpu")),
      memoryMiB: readMemoryMiB(capacity.need("memory")),
      devices: devices.deviceIds.length,
    },
    ...devices,
    taints: fields.get("taints", (list) => list.list(readTaint), []),
    cordons: fields.get("cordons", (list) => list.list(readCordon), []),
    draining: fields.get("draining", (flag) => flag.boolean(), false),
  };
}

/** `{ class: gpu, count: 2 }` names them gpu-0 and gpu-1; `ids` instead of `count` gives them other names. */
function readNodeDevices(cursor: Cursor): Pick<NodeSpec, "deviceClass" | "deviceIds"> {
  const fields = cursor.fields(["class", "count", "ids"]);
  const deviceClass = readName(fields.need("class"));
  if (fields.has("ids")) {
    if (fields.has("count")) cursor.fail(`found both "count" and "ids"; keep one of them.`);
    return { deviceClass, deviceIds: fields.need("ids").list((id) => id.text("a device id")) };
  }
  return { deviceClass, deviceIds: deviceNames(deviceClass, fields.need("count").integer(1)) };
}

function deviceNames(deviceClass: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${deviceClass}-${index}`);
}

function readTaint(cursor: Cursor): Taint {
  const fields = cursor.fields(["key", "value"]);
  return { key: fields.need("key").text(), value: fields.get("value", (text) => text.text(), "") };
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
  if (spec.deviceClass !== "") plain["devices"] = plainDevices(spec);
  putUnlessEmpty(plain, "labels", node.labels);
  putUnlessEmpty(
    plain,
    "taints",
    spec.taints.map(({ key, value }) => ({ key, value })),
  );
  putUnlessEmpty(
    plain,
    "cordons",
    spec.cordons.map(({ holder, reason }) => ({ holder, reason })),
  );
  if (spec.draining) plain["draining"] = true;
  return plain;
}

function plainDevices(spec: NodeSpec): Plain {
  const named = deviceNames(spec.deviceClass, spec.deviceIds.length);
  const usual = named.length > 0 && named.every((id, index) => id === spec.deviceIds[index]);
  return usual
    ? { class: spec.deviceClass, count: named.length }
    : { class: spec.deviceClass, ids: spec.deviceIds };
}
