/** What a tenant charges in a region, and the most that it may hold there. */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import { largerOf } from "../../model/regional/exposure.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

export function chargedOf(objects: ObjectIndex, tenant: string): Amounts {
  const { reserved, committed } = objects.accountOf(tenant);
  return plus(reserved, committed);
}

/**
 * Quota is only taken below the limit, so this never grows before the limit does. Whether the term
 * is in force makes no difference: its end lowers the limit by a commit.
 */
export const heldOf = (objects: ObjectIndex, tenant: string): Amounts =>
  largerOf(objects.quotaUsage.of(tenant).spec?.limit ?? NOTHING, chargedOf(objects, tenant));
