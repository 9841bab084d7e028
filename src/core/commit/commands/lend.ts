/**
 * Gives a grant its next version. What the region may hold by it beyond what it may hold already is
 * taken from the tenant's quota in this commit, before the region hears of it (RG7).
 */
import {
  AMOUNT_NAMES,
  type Amounts,
  equalAmounts,
  NOTHING,
  shortage,
} from "../../model/amounts.ts";
import { grantKey, quotaKey, tenantKey } from "../../model/ids.ts";
import { REGION_MOST } from "../../model/limits/region-limits.ts";
import type { Grant, Region } from "../../model/objects.ts";
import { beyond, exposureOf, largerOf } from "../../model/regional/exposure.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { isCredited } from "../../rules/regional/lending.ts";
import { lenderLearning, plannedRegion } from "../checks/heard-region.ts";
import { globalPlane, grantChange } from "../checks/plane-object.ts";
import { type CommitContext, missing, type Verdict } from "../verdict.ts";
import { checkQuota } from "./reserve.ts";

type Lend = IntentOf<"lend">;

export function checkLend(context: CommitContext, intent: Lend): Verdict {
  const key = grantKey(intent.tenant, intent.region);
  if (context.role !== "apportion") return reject("not-owner", key, "apportion", context.role);
  const own = globalPlane(context);
  if ("code" in own) return own;
  const region = plannedRegion(context, intent.region);
  if ("code" in region) return region;
  const grant = context.ledger.objects.all("Grant").get(key);
  const wrong =
    malformed(intent) ??
    notLentTo(context, { own, region, intent }) ??
    notNext(grant, intent) ??
    beyondQuota(context, grant, intent);
  if (wrong !== undefined) return wrong;
  const { incarnation, version, amounts } = intent;
  const status = grant?.status ?? {};
  const pending = [...(status.pending ?? []), { version, amounts }];
  return grantChange(context, key, {
    spec: { region: intent.region, side: "lent", incarnation, version, amounts },
    status: { ...status, pending },
  });
}

function malformed({ tenant, region, amounts }: Lend): Rejection | undefined {
  const key = grantKey(tenant, region);
  for (const name of AMOUNT_NAMES) {
    const amount = amounts[name];
    if (!Number.isSafeInteger(amount) || amount < 0) {
      return reject("bad-object", `${key} amounts.${name}`, "a whole number, 0 or more", amount);
    }
  }
  return undefined;
}

/** Whether the region can be lent to now, in this incarnation of it and of this plane. */
function notLentTo(
  { ledger }: CommitContext,
  asked: { readonly own: GlobalPlane; readonly region: Region; readonly intent: Lend },
): Rejection | undefined {
  const { own, region, intent } = asked;
  const { key, status } = region;
  const { heard } = status;
  if (heard === undefined) return reject("region-learning", key, "a report", "none");
  if (heard.incarnation !== intent.incarnation || heard.gone === true) {
    const actual = heard.gone === true ? `${heard.incarnation}, which is gone` : heard.incarnation;
    return reject("region-superseded", key, intent.incarnation, actual);
  }
  if (!isCredited(heard)) {
    return reject("region-learning", key, "a report of all it holds", "none that counts yet");
  }
  const learning = lenderLearning(ledger.objects, own);
  if (learning !== undefined || heard.confirmed === own.incarnation) return learning;
  return reject("lender-learning", key, own.incarnation, heard.confirmed ?? "none");
}

function notNext(grant: Grant | undefined, intent: Lend): Rejection | undefined {
  const key = grantKey(intent.tenant, intent.region);
  const next = (grant?.spec.version ?? 0) + 1;
  if (intent.version !== next) return reject("grant-passed", key, next, intent.version);
  const pending = grant?.status.pending?.length ?? 0;
  const most = REGION_MOST.pendingVersions;
  return pending < most
    ? undefined
    : reject("grant-pending", key, `fewer than ${most} unreported versions`, pending);
}

function beyondQuota(
  context: CommitContext,
  grant: Grant | undefined,
  { tenant, region, amounts }: Lend,
): Rejection | undefined {
  const { objects } = context.ledger;
  const before: Amounts = grant === undefined ? NOTHING : exposureOf(grant);
  const after = largerOf(before, amounts);
  const growth = beyond(after, before);
  if (equalAmounts(growth, NOTHING)) return undefined;
  const owner = objects.get(tenantKey(tenant));
  if (owner === undefined) return missing(tenantKey(tenant));
  if (owner.meta.deletingMs !== undefined) {
    return reject("being-deleted", owner.key, "not being deleted", "being deleted");
  }
  const limit = objects.quotaUsage.of(tenant).spec?.regions?.[region];
  const short = limit && shortage(beyond(after, limit), beyond(before, limit));
  if (limit !== undefined && short !== undefined) {
    const field = `${quotaKey(tenant)} regions.${region}.${short}`;
    return reject("quota-exceeded", field, after[short], limit[short]);
  }
  // No class is named: bounds of classes hold in the region by what it was lent altogether.
  return checkQuota(context, { tenant, priorityClass: "", amounts: growth });
}
