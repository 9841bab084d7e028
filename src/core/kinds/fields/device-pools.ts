/**
 * The devices of a node. The core has their ids; people write how many there are, and the ids only
 * if they have names of their own.
 */
import { deviceNames, hasUsualNames } from "../../model/text/device-names.ts";
import type { DevicePool } from "../../model/objects.ts";
import type { BrokenRule } from "../kind-definition.ts";
import { count, list, object, optional, word } from "./field.ts";
import { DEVICE_CLASS, DEVICE_MODEL, DEVICES } from "./node-fields.ts";

export interface WrittenPool {
  readonly class: string;
  readonly model: string;
  readonly count?: number;
  readonly ids?: readonly string[];
}

/** One pool is written as `devices`, several as `pools`. */
export interface WrittenPools {
  readonly devices?: WrittenPool;
  readonly pools?: readonly WrittenPool[];
}

const ids = list("The ids of the devices.", word("The id of a device."), {
  repeated: "refused",
  most: DEVICES.most,
});

export const DEVICE_POOL = object<DevicePool>("Devices of one class and model.", {
  class: DEVICE_CLASS,
  model: DEVICE_MODEL,
  ids,
});

export const WRITTEN_POOL = object<WrittenPool>(
  "Devices of one class and model: either a count, which names them class-0, class-1 and so on, or their ids.",
  {
    class: DEVICE_CLASS,
    model: DEVICE_MODEL,
    count: optional(count("The number of devices.", DEVICES)),
    ids: optional(ids),
  },
);

export function readPools({ devices, pools = [] }: WrittenPools): readonly DevicePool[] {
  const read: DevicePool[] = [];
  for (const written of [...(devices === undefined ? [] : [devices]), ...pools]) {
    const { class: deviceClass, model, count: counted = 0 } = written;
    const named = written.ids ?? deviceNames({ class: deviceClass, count: counted }, read);
    read.push({ class: deviceClass, model, ids: named });
  }
  return read;
}

/** A single pool is shown as most people write it. */
export function writePools(pools: readonly DevicePool[]): WrittenPools {
  const written = pools.map((pool, at) => writePool(pool, pools.slice(0, at)));
  const [first, ...others] = written;
  if (first === undefined) return {};
  return others.length === 0 ? { devices: first } : { pools: written };
}

const writePool = (pool: DevicePool, before: readonly DevicePool[]): WrittenPool => ({
  class: pool.class,
  model: pool.model,
  ...(hasUsualNames(pool, before) ? { count: pool.ids.length } : { ids: pool.ids }),
});

/** Ids that are there twice. Use is counted by id, so one id must not mean two devices. */
export function repeatedId(pools: readonly DevicePool[]): string | undefined {
  const all = pools.flatMap((pool) => pool.ids);
  return all.find((id, at) => all.indexOf(id) !== at);
}

/** What does not go together in the pools that stand under this field. */
export function brokenPools(written: WrittenPools, under: string): BrokenRule | undefined {
  const { devices, pools = [] } = written;
  const mistake = (field: string, found: string, expected: string): BrokenRule => ({
    field: `${under}.${field}`,
    found,
    expected,
    message: `found ${found}; expected ${expected}.`,
  });
  if (devices !== undefined && written.pools !== undefined) {
    return mistake("pools", "devices as well", "one of the two");
  }
  const read = readPools(written);
  for (const [at, pool] of (devices === undefined ? pools : [devices]).entries()) {
    const field = devices === undefined ? `pools[${at}]` : "devices";
    if (pool.ids === undefined) {
      if (pool.count === undefined) return mistake(field, "neither count nor ids", "one");
      continue;
    }
    // A patch of ids meets the count that is shown for ids of the usual form: the ids are then the
    // newer of the two. In every other case both mean the same or the meaning is unclear.
    const isMeant =
      pool.count === undefined ||
      pool.count === pool.ids.length ||
      hasUsualNames({ class: pool.class, ids: pool.ids }, read.slice(0, at));
    if (!isMeant) {
      const found = `a count of ${pool.count} and ${pool.ids.length} ids`;
      return mistake(field, found, "one of them");
    }
  }
  const twice = repeatedId(read);
  return twice === undefined ? undefined : mistake("pools", `"${twice}" twice`, "distinct ids");
}
