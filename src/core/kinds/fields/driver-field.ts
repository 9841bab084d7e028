/** Which driver a template asks for. */
import { DRIVER_NAMES, type DriverName } from "../../model/node/driver-name.ts";
import { type Network, NETWORKS, type RunOptions } from "../../model/run-options.ts";
import { choice, type FieldsOf, flag, implied, optional, patterned } from "./field.ts";

const IMAGE_LETTERS = 512;

export const driver = choice(
  "What runs the command: sandbox, image or process. Default: what the node usually takes.",
  DRIVER_NAMES,
);

/** The agent reads it more closely; here it is a bounded text by digest. */
const image = patterned(
  "The image that the command runs in: registry.example/app@sha256:…, or layout:NAME@sha256:… or archive:NAME@sha256:… of the node's directory of images. Only the driver image has one.",
  {
    most: IMAGE_LETTERS,
    pattern: "^[A-Za-z0-9][A-Za-z0-9._:/-]*@sha256:[0-9a-f]{64}$",
    expected: "an image by digest, such as registry.example/app@sha256:…",
  },
);

/** Up to 8,191 of each: no disk of a node is larger than some TiB. */
export const disk = patterned(
  "Room on the node's disk for what the process writes: its directory and, with writable, the files of its image. The agent reserves all of it before the process begins, and removes it with the process. Default: none; what the process writes is in memory.",
  {
    most: 8,
    pattern: "^[1-9]\\d{0,3}(Mi|Gi)$",
    expected: "up to four digits and Mi or Gi, such as 512Mi or 20Gi",
  },
);

export const ISOLATION: FieldsOf<Pick<RunOptions, "image" | "writable" | "network">> = {
  image: optional(image),
  writable: implied(
    flag(
      "Whether the process may change the files of its image. What it changes is its own, is on its disk or else in memory, and goes with it.",
    ),
    false,
  ),
  network: implied(
    choice(
      "Whom the process reaches: node, all that its node reaches; outbound, other machines, while it takes no connections; none, nothing outside its own processes.",
      NETWORKS,
    ),
    "node",
  ),
};

/** What only some drivers can do for a template. */
export interface Isolated {
  readonly image?: string | undefined;
  readonly network?: Network | undefined;
  readonly disk?: string | undefined;
}

/** A template with an image needs the driver that has images, and so on. */
export function driverOf(
  asked: DriverName | undefined,
  { image: inImage, network, disk: room }: Isolated,
): { readonly driver?: DriverName } {
  if (asked !== undefined) return { driver: asked };
  if (inImage !== undefined) return { driver: "image" };
  return network === undefined && room === undefined ? {} : { driver: "sandbox" };
}
