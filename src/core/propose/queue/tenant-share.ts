/**
 * How much of all there is a tenant has, in its largest part and by its weight, with what it was
 * promised (QU1).
 */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import { quotaKey } from "../../model/ids.ts";
import type { View } from "../../observe/view.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import { dominantShare } from "./fair-order.ts";

export function tenantShare(
  tenant: string,
  asked: { readonly view: View; readonly finder: NodeFinder; readonly more?: Amounts | undefined },
): number {
  const { objects } = asked.view;
  const quota = objects.get(quotaKey(tenant));
  const weight = quota?.kind === "Quota" ? (quota.spec.weight ?? 1) : 1;
  const promised = plus(asked.finder.promisedTo(tenant), asked.more ?? NOTHING);
  const used = plus(objects.accountOf(tenant).committed, promised);
  return dominantShare(used, asked.finder.columns.total, weight);
}
