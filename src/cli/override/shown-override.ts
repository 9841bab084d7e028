/** Overrides as the plane shows them. */
import { recordOf, type ShownObject, textOf } from "../client/api-object.ts";

export const OVERRIDES = "/apis/berth.dev/v1/overrides";

export const overridePath = (name: string): string => `${OVERRIDES}/${encodeURIComponent(name)}`;

export const statusText = ({ status }: ShownObject, field: string): string =>
  textOf(recordOf(status)[field]);

/** To the second: nobody plans an exception more exactly. */
export const untilOf = (override: ShownObject): string =>
  statusText(override, "until").replace(/\.\d+Z$/, "Z");
