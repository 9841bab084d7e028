/** The secrets of a tenant: they go with it, and it may have so many. */
import type { Secret } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export const secretsOf = (objects: ObjectIndex, tenant: string): readonly Secret[] =>
  [...objects.all("Secret").values()].filter(({ meta }) => meta.namespace === tenant);
