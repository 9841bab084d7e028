/**
 * Devices in a file. On a node `{ class: gpu, count: 2 }` names them gpu-0 and gpu-1, and `ids`
 * instead of `count` gives them other names; a workload asks for `{ class: gpu, count: 2 }` or `{
 * class: gpu, share: 500m }`.
 */
import { deviceNames, hasUsualNames } from "../core/model/text/device-names.ts";
import type { DeviceAsk, DevicePool } from "../core/model/objects.ts";
import { formatDevices } from "../quantity/quantity.ts";
import type { Plain, PlainFields } from "../manifest/write-fields.ts";
import { readDeviceMillis } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName } from "./references.ts";

const WHOLE_MILLIS = 1000;

/** `devices` is one pool, `pools` a list of them. */
export function readPools(fields: Fields): readonly DevicePool[] {
  const pools: DevicePool[] = [];
  if (fields.has("devices")) {
    const cursor = fields.need("devices");
    if (fields.has("pools")) cursor.fail(`found both "devices" and "pools"; use one of them.`);
    pools.push(readPool(cursor, []));
  }
  fields.get("pools", (list) => list.list((item) => pools.push(readPool(item, pools))), []);
  return pools;
}

function readPool(cursor: Cursor, before: readonly DevicePool[]): DevicePool {
  const fields = cursor.fields(["class", "model", "count", "ids"]);
  const deviceClass = readName(fields.need("class"));
  const model = fields.get("model", (text) => text.text("a model"), "");
  if (fields.has("ids")) {
    if (fields.has("count")) cursor.fail(`found both "count" and "ids"; use one of them.`);
    const ids = fields.need("ids").list((id) => id.text("a device id"));
    return { class: deviceClass, model, ids };
  }
  const count = fields.need("count").integer(1);
  return { class: deviceClass, model, ids: deviceNames({ class: deviceClass, count }, before) };
}

export function putPools(plain: PlainFields, pools: readonly DevicePool[]): void {
  const [first, ...others] = pools;
  if (first === undefined) return;
  if (others.length === 0) plain["devices"] = plainPool(first, []);
  else plain["pools"] = pools.map((pool, at) => plainPool(pool, pools.slice(0, at)));
}

function plainPool(pool: DevicePool, before: readonly DevicePool[]): Plain {
  return {
    class: pool.class,
    ...(pool.model === "" ? {} : { model: pool.model }),
    ...(hasUsualNames(pool, before) ? { count: pool.ids.length } : { ids: pool.ids }),
  };
}

export function readDeviceAsk(cursor: Cursor): DeviceAsk {
  const fields = cursor.fields(["class", "model", "count", "share"]);
  const deviceClass = readName(fields.need("class"));
  const models = fields.get("model", readModels, []);
  if (!fields.has("share")) {
    const count = fields.need("count").integer(1);
    return { class: deviceClass, models, count, shareMillis: WHOLE_MILLIS };
  }
  if (fields.has("count")) cursor.fail(`found both "count" and "share"; use one of them.`);
  const share = fields.need("share");
  const shareMillis = readDeviceMillis(share);
  if (shareMillis < 1 || shareMillis > WHOLE_MILLIS)
    share.expected("a part of one device, such as 500m");
  return { class: deviceClass, models, count: 1, shareMillis };
}

function readModels(cursor: Cursor): readonly string[] {
  const models = cursor.text("models").split("|");
  if (models.includes("")) cursor.expected('models such as "A100|V100"');
  return models;
}

export function plainDeviceAsk({
  class: deviceClass,
  models,
  count,
  shareMillis,
}: DeviceAsk): Plain {
  return {
    class: deviceClass,
    ...(models.length === 0 ? {} : { model: models.join("|") }),
    ...(shareMillis === WHOLE_MILLIS ? { count } : { share: formatDevices(shareMillis) }),
  };
}
