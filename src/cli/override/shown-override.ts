/** Overrides as the plane shows them. */
import { type ShownObject, statusText } from "../../steering/api-object.ts";

export const OVERRIDES = "/apis/berth.dev/v1/overrides";

export const overridePath = (name: string): string => `${OVERRIDES}/${encodeURIComponent(name)}`;

/** To the second: an exception is not planned more exactly. */
export const untilOf = (override: ShownObject): string =>
  statusText(override, "until").replace(/\.\d+Z$/, "Z");
