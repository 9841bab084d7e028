/** Which driver a template asks for. */
import { DRIVER_NAMES, type DriverName } from "../../model/node/driver-name.ts";
import { choice, patterned } from "./field.ts";

const IMAGE_LETTERS = 512;

export const driver = choice(
  "What runs the command: sandbox, image or process. Default: what the node usually takes.",
  DRIVER_NAMES,
);

/** The agent reads it more closely; here it is a bounded text by digest. */
export const image = patterned(
  "The image that the command runs in: registry.example/app@sha256:…, or layout:NAME@sha256:… or archive:NAME@sha256:… of the node's directory of images. Only the driver image has one.",
  {
    most: IMAGE_LETTERS,
    pattern: "^[A-Za-z0-9][A-Za-z0-9._:/-]*@sha256:[0-9a-f]{64}$",
    expected: "an image by digest, such as registry.example/app@sha256:…",
  },
);

/** A template with an image needs the driver that has images. */
export const driverOf = (
  asked: DriverName | undefined,
  inImage: string | undefined,
): { readonly driver?: DriverName } => {
  const name = asked ?? (inImage === undefined ? undefined : "image");
  return name === undefined ? {} : { driver: name };
};
