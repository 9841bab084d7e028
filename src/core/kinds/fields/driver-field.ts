/** Which driver a template asks for. */
import { DRIVER_NAMES } from "../../model/node/driver-name.ts";
import { choice } from "./field.ts";

export const driver = choice(
  "What runs the command: sandbox, image or process. Default: what the node usually takes.",
  DRIVER_NAMES,
);
