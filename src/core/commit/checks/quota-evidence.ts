/**
 * Whether quota may be taken from a replica: somebody in its group waits for quota of their own and others use
 * more than theirs (QT8), or its tenant's quota was made smaller and is to be drained (QT3). Never more is
 * taken than is needed, and what is already on its way out counts as given back.
 */
import { AMOUNT_NAMES } from "../../model/amounts.ts";
import type { Role } from "../../model/actor.ts";
import { type ObjectKey, parseKey, quotaKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { isEntitled } from "../../observe/accounts/quota-room.ts";
import { missingOf, overOf, spareOf } from "../../observe/accounts/reclaim-need.ts";
import type { Bench } from "../verdict.ts";
import { no, type No } from "../../protocol/no.ts";

/** One on a silent node can be asked for nothing; taking more from others instead would be taking twice. */
function outOfReach(role: Role, { key, status }: Replica): No | undefined {
  if (role !== "reclaim-quota") return no("not-owner", key, "reclaim-quota", role);
  return status.stage === "unknown" ? no("wrong-stage", key, "within reach", "unknown") : undefined;
}

export function reclaimUnsupported(
  { ledger: { objects }, role }: Bench,
  victim: Replica,
  waitingKey: ObjectKey,
): No | undefined {
  const out = outOfReach(role, victim);
  if (out !== undefined) return out;
  const wrong = (expected: string, actual: string): No =>
    no("evidence-wrong", waitingKey, expected, actual);
  const waiting = objects.replica(waitingKey);
  if (waiting === undefined) return wrong("a replica that waits for quota", "missing");
  if (!isEntitled(objects, waiting)) {
    return wrong("waits for quota that its own tenant's limit covers", waiting.status.stage);
  }
  const lender = waiting.meta.namespace;
  const tenant = victim.meta.namespace;
  const group = objects.books.groupOf(lender);
  if (group === undefined || lender === tenant || !group.members.has(tenant)) {
    return wrong("in one group with another tenant", `${lender} and ${tenant}`);
  }
  const needed = missingOf(objects, group);
  const spare = spareOf(objects, tenant);
  const { amounts } = victim.spec.template.ask;
  const isOfUse = AMOUNT_NAMES.some(
    (name) => needed[name] > 0 && spare[name] > 0 && amounts[name] > 0,
  );
  return isOfUse
    ? undefined
    : no("evidence-wrong", victim.key, "a borrower of what the group lacks", "no use");
}

export function shrinkUnsupported(
  { ledger: { objects }, role }: Bench,
  victim: Replica,
  quota: ObjectKey,
): No | undefined {
  const out = outOfReach(role, victim);
  if (out !== undefined) return out;
  const tenant = victim.meta.namespace;
  if (quota !== quotaKey(tenant)) {
    return no("evidence-wrong", victim.key, quotaKey(tenant), parseKey(quota).namespace);
  }
  const { spec } = objects.books.of(tenant);
  if (spec?.shrink !== "drain") {
    return no("evidence-wrong", quota, "shrink drain", spec?.shrink ?? "shrink wait");
  }
  const over = overOf(objects, tenant);
  const { amounts } = victim.spec.template.ask;
  return AMOUNT_NAMES.some((name) => over[name] > 0 && amounts[name] > 0)
    ? undefined
    : no("evidence-wrong", quota, "used beyond its limit", "covers what is used");
}
