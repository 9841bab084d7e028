/**
 * The shape of what planes tell each other. It comes over the network, and numbers that are none
 * would compare with nothing (OB5).
 */
import { AMOUNT_NAMES, type Amounts } from "../../model/amounts.ts";
import { regionKey } from "../../model/ids.ts";
import { REGION_MOST } from "../../model/limits/region-limits.ts";
import { TERM_BOUNDS_MS } from "../../model/regional/region-plane.ts";
import type { RegionReport, RegionTerms } from "../../protocol/region-exchange.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

type Numbers = Readonly<Record<string, number>>;

const TENANT = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

export function malformedReport(report: RegionReport): Rejection | undefined {
  const { region, incarnation, epoch, revision, from, askedMs, objectsTo, grants } = report;
  const { global = 0, objectsDigest } = report;
  return (
    notWhole(region, { epoch, revision, from, askedMs, objectsTo, objectsDigest, global }) ??
    notWhole(region, { incarnation: incarnation - 1 }) ??
    (revision < 1 || from > revision
      ? reject("bad-object", `${regionKey(region)} from`, `at most ${revision}`, from)
      : undefined) ??
    malformedGrants(region, grants) ??
    grants.reduce<Rejection | undefined>(
      (found, { tenant, held, demand }) =>
        found ??
        [held, demand.charged, demand.waiting, demand.largest, demand.smallest].reduce<
          Rejection | undefined
        >((wrong, amounts) => wrong ?? malformedAmounts(`${region} ${tenant}`, amounts), undefined),
      undefined,
    )
  );
}

export function malformedTerms(terms: RegionTerms): Rejection | undefined {
  const { region, incarnation, global, asked, termMs, grants, objectsFrom, objectsTo } = terms;
  const { least, most } = TERM_BOUNDS_MS;
  return (
    notWhole(region, { incarnation, global, askedMs: asked.ms, objectsFrom, objectsTo }) ??
    (Number.isSafeInteger(termMs) && termMs >= least && termMs <= most
      ? undefined
      : reject("bad-object", `${regionKey(region)} term`, `${least} to ${most} ms`, termMs)) ??
    malformedGrants(region, grants) ??
    grants.reduce<Rejection | undefined>(
      (found, { tenant, amounts }) => found ?? malformedAmounts(`${region} ${tenant}`, amounts),
      undefined,
    )
  );
}

function malformedGrants(
  region: string,
  grants: readonly { readonly tenant: string; readonly version: number }[],
): Rejection | undefined {
  const field = `${regionKey(region)} grants`;
  if (grants.length > REGION_MOST.grantsPerExchange) {
    return reject("bad-object", field, `at most ${REGION_MOST.grantsPerExchange}`, grants.length);
  }
  const tenants = new Set<string>();
  for (const { tenant, version } of grants) {
    if (!TENANT.test(tenant)) return reject("bad-object", field, "names of tenants", tenant);
    if (tenants.has(tenant)) return reject("bad-object", field, "each tenant once", tenant);
    tenants.add(tenant);
    const wrong = notWhole(region, { version });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function notWhole(region: string, numbers: Numbers): Rejection | undefined {
  for (const [name, value] of Object.entries(numbers)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    return reject("bad-object", `${regionKey(region)} ${name}`, "a whole number, 0 or more", value);
  }
  return undefined;
}

function malformedAmounts(of: string, amounts: Amounts): Rejection | undefined {
  for (const name of AMOUNT_NAMES) {
    const amount = amounts[name];
    if (Number.isSafeInteger(amount) && amount >= 0) continue;
    return reject("bad-object", `${of} ${name}`, "a whole number, 0 or more", amount);
  }
  return undefined;
}
