/**
 * Whether quota may be taken from a replica: somebody in its group waits for quota of their own and
 * others use more than theirs (QT8), or its tenant's quota was made smaller and is to be drained
 * (QT3). Never more is taken than is needed, and what is already on its way out counts as given
 * back.
 */
import { AMOUNT_NAMES } from "../../model/amounts.ts";
import type { Role } from "../../model/actor.ts";
import { type ObjectKey, parseKey, quotaKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { isEntitled } from "../../observe/accounts/quota-room.ts";
import { missingOf, overOf, spareOf } from "../../observe/accounts/reclaim-need.ts";
import type { CommitContext } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/**
 * One on a silent node can be asked for nothing; taking more from others instead would be taking
 * twice.
 */
function outOfReach(role: Role, { key, status }: Replica): Rejection | undefined {
  if (role !== "reclaim-quota") return reject("not-owner", key, "reclaim-quota", role);
  return status.stage === "unknown"
    ? reject("wrong-stage", key, "within reach", "unknown")
    : undefined;
}

export function reclaimUnsupported(
  { ledger: { objects }, role }: CommitContext,
  victim: Replica,
  waitingKey: ObjectKey,
): Rejection | undefined {
  const out = outOfReach(role, victim);
  if (out !== undefined) return out;
  const wrong = (expected: string, actual: string): Rejection =>
    reject("evidence-wrong", waitingKey, expected, actual);
  const waiting = objects.replica(waitingKey);
  if (waiting === undefined) return wrong("a replica that waits for quota", "missing");
  if (!isEntitled(objects, waiting)) {
    return wrong("waits for quota that its own tenant's limit covers", waiting.status.stage);
  }
  const lender = waiting.meta.namespace;
  const tenant = victim.meta.namespace;
  const group = objects.quotaUsage.groupOf(lender);
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
    : reject("evidence-wrong", victim.key, "a borrower of what the group lacks", "no use");
}

export function shrinkUnsupported(
  { ledger: { objects }, role }: CommitContext,
  victim: Replica,
  quota: ObjectKey,
): Rejection | undefined {
  const out = outOfReach(role, victim);
  if (out !== undefined) return out;
  const tenant = victim.meta.namespace;
  if (quota !== quotaKey(tenant)) {
    return reject("evidence-wrong", victim.key, quotaKey(tenant), parseKey(quota).namespace);
  }
  const { spec } = objects.quotaUsage.of(tenant);
  if (spec?.shrink !== "drain") {
    return reject("evidence-wrong", quota, "shrink drain", spec?.shrink ?? "shrink wait");
  }
  const over = overOf(objects, tenant);
  const { amounts } = victim.spec.template.ask;
  return AMOUNT_NAMES.some((name) => over[name] > 0 && amounts[name] > 0)
    ? undefined
    : reject("evidence-wrong", quota, "used beyond its limit", "covers what is used");
}
