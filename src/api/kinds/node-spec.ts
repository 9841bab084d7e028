/** A node's spec between what an operator writes and what the core decides on. */
import type { NodeSpec } from "../../core/model/objects.ts";
import { cpuText, memoryText } from "./amounts-text.ts";
import type { NodeDevicesText, NodeSpecText } from "./node-schema.ts";
import type { SpecReader } from "./spec-reader.ts";

type Devices = Pick<NodeSpec, "deviceClass" | "deviceIds">;

export function readNodeSpec(spec: NodeSpecText, reader: SpecReader): NodeSpec {
  const { region, zone, capacity } = spec;
  const devices = readDevices(capacity.devices, reader);
  return {
    region,
    zone,
    capacity: reader.amounts("spec.capacity", capacity, devices.deviceIds.length),
    ...devices,
    taints: (spec.taints ?? []).map(({ key, value = "" }) => ({ key, value })),
    cordons: (spec.cordons ?? []).map(({ holder, reason = "" }) => ({ holder, reason })),
    draining: spec.draining ?? false,
  };
}

function readDevices(devices: NodeDevicesText | undefined, reader: SpecReader): Devices {
  if (devices === undefined) return { deviceClass: "", deviceIds: [] };
  const { class: deviceClass, count, ids } = devices;
  const field = "spec.capacity.devices";
  if (ids === undefined) {
    if (count === undefined) reader.mistake(field, "found neither count nor ids; expected one.");
    return { deviceClass, deviceIds: usualIds(deviceClass, count ?? 0) };
  }
  // A patch of ids meets the count that is shown for ids of the usual form: the ids are then the newer of
  // the two. In every other case both mean the same or nobody knows which was meant.
  const isMeant = count === undefined || count === ids.length || isUsual(deviceClass, ids);
  if (!isMeant) {
    reader.mistake(field, `found a count of ${count} and ${ids.length} ids; expected one of them.`);
  }
  return { deviceClass, deviceIds: ids };
}

export function writeNodeSpec(spec: NodeSpec): NodeSpecText {
  const { region, zone, capacity, taints, cordons, draining } = spec;
  return {
    region,
    zone,
    capacity: {
      cpu: cpuText(capacity.cpuMillis),
      memory: memoryText(capacity.memoryMiB),
      ...(spec.deviceClass === "" ? {} : { devices: writeDevices(spec) }),
    },
    ...(taints.length === 0 ? {} : { taints: taints.map(({ key, value }) => ({ key, value })) }),
    ...(cordons.length === 0
      ? {}
      : { cordons: cordons.map(({ holder, reason }) => ({ holder, reason })) }),
    ...(draining ? { draining } : {}),
  };
}

function writeDevices({ deviceClass, deviceIds }: Devices): NodeDevicesText {
  return isUsual(deviceClass, deviceIds)
    ? { class: deviceClass, count: deviceIds.length }
    : { class: deviceClass, ids: [...deviceIds] };
}

const usualIds = (deviceClass: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${deviceClass}-${index}`);

function isUsual(deviceClass: string, ids: readonly string[]): boolean {
  return ids.length > 0 && ids.every((id, index) => id === `${deviceClass}-${index}`);
}
