/** Devices between what people write about workloads and what the core decides on. */
import { Type } from "typebox";
import type { DeviceAsk } from "../../../core/model/objects.ts";
import { fields, quantity, wholeNumber, word } from "../../schema/shapes.ts";
import { deviceText } from "./amounts-text.ts";
import type { SpecReader } from "../spec-reader.ts";

/** Each device of a node is named one by one; no machine has more of them than this. */
const MOST_DEVICES = 1024;
/** One whole device. */
export const WHOLE_MILLIS = 1000;
/** Between the models that an ask allows. */
const OR = "|";

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

type DeviceAskText = Type.Static<typeof deviceAskSchema>;

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
