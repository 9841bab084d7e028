/** Devices that a workload asks for in a file: `{ class: gpu, count: 2 }` or `{ class: gpu, share: 500m }`. */
import type { DeviceAsk } from "../core/model/objects.ts";
import { formatDevices } from "../quantity/quantity.ts";
import type { Plain } from "../manifest/write-fields.ts";
import { readDeviceMillis } from "./amounts-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName } from "./references.ts";

const WHOLE_MILLIS = 1000;

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
