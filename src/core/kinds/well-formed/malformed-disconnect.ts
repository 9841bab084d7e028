/** What the rules of disconnected replicas rely on (OB5, DC4). */
import { RECONCILES, REPLACE_AFTER_MAX_MS } from "../../model/disconnect.ts";
import type { WorkloadSpec } from "../../model/objects.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import type { Bad } from "./malformed-amounts.ts";

export function malformedDisconnect(
  { type, template, gang }: WorkloadSpec,
  bad: Bad,
): Rejection | undefined {
  const { onDisconnect, replaceAfterMs, reconcile } = template;
  if (reconcile !== undefined && !RECONCILES.includes(reconcile)) {
    return bad("spec.reconcile", RECONCILES.join(" or "), reconcile);
  }
  if (replaceAfterMs === undefined) return undefined;
  const isGood =
    Number.isSafeInteger(replaceAfterMs) &&
    replaceAfterMs >= 1 &&
    replaceAfterMs <= REPLACE_AFTER_MAX_MS;
  if (!isGood) return bad("spec.replaceAfter", `1 to ${REPLACE_AFTER_MAX_MS}`, replaceAfterMs);
  if (onDisconnect === "stop") return undefined;
  // A batch that is run twice has done its work twice, and a gang with a member too many is no
  // gang.
  if (type === "batch") return bad("spec.replaceAfter", "a service, to keep and replace", type);
  return gang === undefined
    ? undefined
    : bad("spec.replaceAfter", "no gang, to keep and replace", "a gang");
}
