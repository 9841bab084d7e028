/** What a report makes of the grants of its region (RG6). */
import { type Amounts, equalAmounts, NOTHING } from "../../model/amounts.ts";
import { grantKey, type ObjectKey } from "../../model/ids.ts";
import type { Grant } from "../../model/objects.ts";
import type { GrantSpec, GrantStatus } from "../../model/regional/grant.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { GrantReport, RegionReport } from "../../protocol/region-exchange.ts";
import type { CommitContext } from "../verdict.ts";
import { grantChange } from "./plane-object.ts";

/** More of the incarnation that was taken in before. */
export function reportedGrants(context: CommitContext, report: RegionReport): readonly Change[] {
  return report.grants.flatMap((reported) => {
    const key = grantKey(reported.tenant, report.region);
    const held = context.ledger.objects.all("Grant").get(key);
    if (held === undefined) return firstGrant(context, report, reported);
    return grantChange(context, key, after(held, reported));
  });
}

/**
 * The first that is taken in of an incarnation: what was lent to earlier ones can be spent no more,
 * and this one holds what it says and nothing else.
 */
export function settledGrants(context: CommitContext, report: RegionReport): readonly Change[] {
  const { region, incarnation } = report;
  const reported = new Map(report.grants.map((each) => [grantKey(each.tenant, region), each]));
  const known = [...context.ledger.objects.all("Grant").values()].filter(
    ({ spec }) => spec.side === "lent" && spec.region === region,
  );
  const settled = known.flatMap(({ key, spec }) => {
    const said = reported.get(key);
    const version = Math.max(spec.version, said?.version ?? 0);
    return grantChange(context, key, begun(region, incarnation, { version, said }));
  });
  const names = new Set<ObjectKey>(known.map(({ key }) => key));
  const fresh = report.grants.filter(({ tenant }) => !names.has(grantKey(tenant, region)));
  return [...settled, ...fresh.flatMap((each) => firstGrant(context, report, each))];
}

interface GrantValue {
  readonly spec: GrantSpec;
  readonly status: GrantStatus;
}

function firstGrant(
  context: CommitContext,
  { region, incarnation }: RegionReport,
  said: GrantReport,
): readonly Change[] {
  const { tenant, version, held, demand } = said;
  const saysNothing = [held, demand.charged, demand.waiting].every((each) =>
    equalAmounts(each, NOTHING),
  );
  if (version === 0 && saysNothing) return [];
  return grantChange(
    context,
    grantKey(tenant, region),
    begun(region, incarnation, { version, said }),
  );
}

function begun(
  region: string,
  incarnation: number,
  { version, said }: { readonly version: number; readonly said: GrantReport | undefined },
): GrantValue {
  const amounts: Amounts = said?.held ?? NOTHING;
  return {
    spec: { region, side: "lent", incarnation, version, amounts },
    status: {
      reported: said?.version ?? 0,
      held: amounts,
      ...(said === undefined ? {} : { demand: said.demand }),
    },
  };
}

function after({ spec, status }: Grant, said: GrantReport): GrantValue {
  const { version, held, demand } = said;
  // Versions that a region has taken over do not go back: it is not what it says it is, and stays
  // charged with what it was.
  if (version < (status.reported ?? 0)) return { spec, status };
  const pending = (status.pending ?? []).filter((each) => each.version > version);
  return {
    // A version that was never lent: this plane's log was restored, and has forgotten it.
    spec: version > spec.version ? { ...spec, version, amounts: held } : spec,
    status: {
      reported: version,
      held,
      ...(pending.length === 0 ? {} : { pending }),
      demand,
    },
  };
}
