/** The promises to a tenant: they end with it. */
import type { Commitment } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export const commitmentsOf = (objects: ObjectIndex, tenant: string): readonly Commitment[] =>
  [...objects.all("Commitment").values()].filter(({ meta }) => meta.namespace === tenant);
