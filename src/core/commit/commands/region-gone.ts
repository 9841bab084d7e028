/**
 * A person vouches that a region is gone for good: what it was lent comes back at once (RG14). Only
 * a later incarnation of its plane is heard again.
 */
import { NOTHING } from "../../model/amounts.ts";
import { regionKey } from "../../model/ids.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import type { RegionHeard } from "../../model/regional/region-plane.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject } from "../../protocol/rejection.ts";
import { plannedRegion } from "../checks/heard-region.ts";
import { globalPlane, grantChange } from "../checks/plane-object.ts";
import { changed, type CommitContext, touched, type Verdict } from "../verdict.ts";

export function checkRegionGone(context: CommitContext, intent: IntentOf<"region-gone">): Verdict {
  const key = regionKey(intent.region);
  if (context.role !== "user") return reject("not-owner", key, "user", context.role);
  if (intent.evidence.kind !== "person") {
    return reject("evidence-missing", key, "person", intent.evidence.kind);
  }
  const own = globalPlane(context);
  if ("code" in own) return own;
  const region = plannedRegion(context, intent.region);
  if ("code" in region) return region;
  const heard = region.status.heard ?? unheard(context, own, intent);
  if (heard?.incarnation !== intent.incarnation || heard.gone === true) {
    const actual = heard === undefined ? "never heard" : `${heard.incarnation}`;
    const is = heard?.gone === true ? `${actual}, which is gone` : actual;
    return reject("region-superseded", key, intent.incarnation, is);
  }
  const meta = touched(region.meta, context.next);
  const { earlier: _, ...rest } = heard;
  const grants = [...context.ledger.objects.all("Grant").values()];
  return [
    changed(region, {
      ...region,
      meta,
      status: { ...region.status, heard: { ...rest, gone: true } },
    }),
    ...grants
      .filter(({ spec }) => spec.side === "lent" && spec.region === intent.region)
      .flatMap(({ key: of, spec, status }) => {
        const { reported } = status;
        const version = reported === undefined ? {} : { reported };
        return grantChange(context, of, { spec, status: { ...version, held: NOTHING } });
      }),
  ];
}

/**
 * A restored plane may have forgotten that it ever heard of the region, and lends nothing before it
 * does (RG9). Of any other plane such a region holds nothing.
 */
function unheard(
  { ledger, nowMs }: CommitContext,
  own: GlobalPlane,
  { incarnation }: IntentOf<"region-gone">,
): RegionHeard | undefined {
  if (own.incarnation === 1 || !Number.isSafeInteger(incarnation) || incarnation < 1) {
    return undefined;
  }
  return {
    incarnation,
    epoch: 0,
    revision: 0,
    atMs: nowMs,
    under: ledger.epoch,
    asked: { epoch: 0, ms: 0 },
    termMs: 0,
    termUntilMs: nowMs,
    settledBy: own.incarnation,
    confirmed: undefined,
    learning: true,
  };
}
