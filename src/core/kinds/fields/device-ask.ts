/** Devices that a replica asks for: whole ones by their count, or a share of a single one. */
import type { DeviceAsk } from "../../model/objects.ts";
import { WHOLE_DEVICE_MILLIS } from "../../rules/feasibility/devices.ts";
import type { BrokenRule } from "../kind-definition.ts";
import { count, type FieldsOf, optional, share, word } from "./field.ts";
import { DEVICES } from "./node-fields.ts";

/** Between the models that an ask allows. */
const OR = "|";

/** As people write it. */
export interface DeviceText {
  readonly class: string;
  readonly model?: string;
  readonly count?: number;
  readonly share?: number;
}

export const WRITTEN_DEVICE: FieldsOf<DeviceText> = {
  class: word("The class of device, as the nodes name it."),
  model: optional(word('The model, or several alternatives, such as "A100|V100". Default: any.')),
  count: optional(count("The number of whole devices of each replica.", { ...DEVICES, least: 0 })),
  share: optional(
    share("Instead of count: the share of one device of each replica, such as 500m or 0.5."),
  ),
};

const modelsOf = (model: string): readonly string[] => model.split(OR).map((each) => each.trim());

export function readDevice(written: DeviceText): DeviceAsk | undefined {
  const { class: deviceClass, model, count: counted = 0, share: shareMillis } = written;
  const models = model === undefined ? [] : modelsOf(model);
  if (shareMillis !== undefined) return { class: deviceClass, models, count: 1, shareMillis };
  if (counted === 0) return undefined;
  return { class: deviceClass, models, count: counted, shareMillis: WHOLE_DEVICE_MILLIS };
}

export const writeDevice = ({
  class: of,
  models,
  count: counted,
  shareMillis,
}: DeviceAsk): DeviceText => ({
  class: of,
  ...(models.length === 0 ? {} : { model: models.join(OR) }),
  ...(shareMillis === WHOLE_DEVICE_MILLIS ? { count: counted } : { share: shareMillis }),
});

export function countBesideShare(devices: DeviceText | undefined): BrokenRule | undefined {
  if (devices === undefined) return undefined;
  if ((devices.count === undefined) !== (devices.share === undefined)) return undefined;
  const found = devices.count === undefined ? "neither count nor share" : "both count and share";
  const expected = "one of them";
  const message = `found ${found}; expected ${expected}.`;
  return { field: "resources.devices", found, expected, message };
}

export function emptyModel(devices: DeviceText | undefined): BrokenRule | undefined {
  const model = devices?.model;
  if (model === undefined || !modelsOf(model).includes("")) return undefined;
  const expected = 'models with "|" between them, such as "A100|V100"';
  return { field: "resources.devices.model", found: model, expected };
}

/** Quota and capacity count the device request, so both numbers must agree. */
export function wrongDevices(
  device: DeviceAsk | undefined,
  deviceMillis: number,
): BrokenRule | undefined {
  const { count: counted = 0, shareMillis = 0 } = device ?? {};
  // A share is of one single device: several parts of several devices are not one thing to run on.
  if (shareMillis < WHOLE_DEVICE_MILLIS && counted > 1) {
    return { field: "template.ask.device.count", found: counted, expected: "one share" };
  }
  const expected = `${counted * shareMillis}`;
  return deviceMillis === counted * shareMillis
    ? undefined
    : { field: "template.ask.amounts.deviceMillis", found: deviceMillis, expected };
}
