/** Devices between what people write about nodes and workloads and what the core decides on. */
import { Type } from "typebox";
import { deviceNames, hasUsualNames } from "../../../core/model/text/device-names.ts";
import type { DeviceAsk, DevicePool } from "../../../core/model/objects.ts";
import { fields, quantity, wholeNumber, word } from "../../schema/shapes.ts";
import { deviceText } from "./amounts-text.ts";
import type { SpecReader } from "../spec-reader.ts";

/** Each device of a node is named one by one; no machine has more of them than this. */
const MOST_DEVICES = 1024;
/** One whole device. */
export const WHOLE_MILLIS = 1000;
/** Between the models that an ask allows. */
const OR = "|";

export const poolSchema = fields(
  "Devices of one class and model: either a count, which names them class-0, class-1 and so on, or their ids.",
  {
    class: word("The class that workloads request, such as gpu."),
    model: Type.Optional(word("The model, such as A100. Default: none.")),
    count: Type.Optional(wholeNumber("The number of devices.", { from: 1, to: MOST_DEVICES })),
    ids: Type.Optional(
      Type.Array(word("The id of a device."), {
        description: "The ids of the devices.",
        uniqueItems: true,
        maxItems: MOST_DEVICES,
      }),
    ),
  },
);

export const deviceAskSchema = fields(
  "Devices, such as GPUs: whole ones, exclusive to the replica, or a share of one.",
  {
    class: word("The class of device, as the nodes name it."),
    model: Type.Optional(
      word('The model, or several alternatives, such as "A100|V100". Default: any.'),
    ),
    count: Type.Optional(
      wholeNumber("The number of whole devices of each replica.", { from: 0, to: MOST_DEVICES }),
    ),
    share: Type.Optional(
      quantity("Instead of count: the share of one device of each replica, such as 500m or 0.5."),
    ),
  },
);

type PoolText = Type.Static<typeof poolSchema>;
type DeviceAskText = Type.Static<typeof deviceAskSchema>;

interface PoolTexts {
  readonly devices?: PoolText;
  readonly pools?: readonly PoolText[];
}

export function readPools({ devices, pools }: PoolTexts, reader: SpecReader): DevicePool[] {
  if (devices !== undefined && pools !== undefined) {
    reader.mistake("spec.capacity.pools", "found devices as well; expected one of the two.");
  }
  const read: DevicePool[] = [];
  if (devices !== undefined) read.push(readPool(devices, [], reader, "spec.capacity.devices"));
  for (const [at, pool] of (pools ?? []).entries()) {
    read.push(readPool(pool, read, reader, `spec.capacity.pools[${at}]`));
  }
  const ids = read.flatMap((pool) => pool.ids);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    reader.mistake("spec.capacity.pools", `found "${twice}" twice; expected distinct ids.`);
  }
  return read;
}

function readPool(
  { class: deviceClass, model = "", count, ids }: PoolText,
  before: readonly DevicePool[],
  reader: SpecReader,
  field: string,
): DevicePool {
  if (ids === undefined) {
    if (count === undefined) reader.mistake(field, "found neither count nor ids; expected one.");
    const named = deviceNames({ class: deviceClass, count: count ?? 0 }, before);
    return { class: deviceClass, model, ids: named };
  }
  const pool: DevicePool = { class: deviceClass, model, ids };
  // A patch of ids meets the count that is shown for ids of the usual form: the ids are then the
  // newer of the two. In every other case both mean the same or the meaning is unclear.
  const isMeant = count === undefined || count === ids.length || hasUsualNames(pool, before);
  if (!isMeant) {
    reader.mistake(field, `found a count of ${count} and ${ids.length} ids; expected one of them.`);
  }
  return pool;
}

/** A single pool is shown as most people write it. */
export function writePools(pools: readonly DevicePool[]): {
  devices?: PoolText;
  pools?: PoolText[];
} {
  const [first, ...others] = pools;
  if (first === undefined) return {};
  if (others.length === 0) return { devices: writePool(first, []) };
  return { pools: pools.map((pool, at) => writePool(pool, pools.slice(0, at))) };
}

function writePool(pool: DevicePool, before: readonly DevicePool[]): PoolText {
  return {
    class: pool.class,
    ...(pool.model === "" ? {} : { model: pool.model }),
    ...(hasUsualNames(pool, before) ? { count: pool.ids.length } : { ids: [...pool.ids] }),
  };
}

export function readDeviceAsk(
  devices: DeviceAskText | undefined,
  reader: SpecReader,
): DeviceAsk | undefined {
  if (devices === undefined) return undefined;
  const { class: deviceClass, model, count, share } = devices;
  const field = "spec.resources.devices";
  if ((count === undefined) === (share === undefined)) {
    const found = count === undefined ? "neither count nor share" : "both count and share";
    reader.mistake(field, `found ${found}; expected one of them.`);
  }
  const models = readModels(model, reader);
  if (share === undefined) {
    if (count === undefined || count === 0) return undefined;
    return { class: deviceClass, models, count, shareMillis: WHOLE_MILLIS };
  }
  const shareMillis = reader.deviceMillis(`${field}.share`, share);
  if (shareMillis < 1 || shareMillis > WHOLE_MILLIS) {
    reader.mistake(`${field}.share`, `found "${share}"; expected more than 0 and at most 1.`);
  }
  return { class: deviceClass, models, count: 1, shareMillis };
}

function readModels(model: string | undefined, reader: SpecReader): readonly string[] {
  if (model === undefined) return [];
  const models = model.split(OR).map((name) => name.trim());
  if (models.some((name) => name === "")) {
    const expected = 'expected models with "|" between them, such as "A100|V100"';
    reader.mistake("spec.resources.devices.model", `found "${model}"; ${expected}.`);
  }
  return models;
}

export function writeDeviceAsk(device: DeviceAsk): DeviceAskText {
  const { class: deviceClass, models, count, shareMillis } = device;
  return {
    class: deviceClass,
    ...(models.length === 0 ? {} : { model: models.join(OR) }),
    ...(shareMillis === WHOLE_MILLIS ? { count } : { share: deviceText(shareMillis) }),
  };
}
