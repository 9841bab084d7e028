/** Quota: how much a tenant may use, in amounts of 0 or more and under names that can be keys (OB5). */
import { LOAD_LIMITS } from "../model/limits/load-limits.ts";
import type { QuotaSpec } from "../model/objects.ts";
import { no, type No } from "../protocol/no.ts";
import { type Bad, isCount, malformedAmounts } from "./well-formed/malformed-amounts.ts";
import { equalAmounts, NOTHING } from "../model/amounts.ts";
import type { WrittenDefinition } from "./kind-definition.ts";

export const quotaDefinition: WrittenDefinition<"Quota"> = {
  kind: "Quota",
  plural: "quotas",
  shortNames: [],
  scope: "tenant",
  // Until quotas are split by region, `quotaKey` finds a tenant's only one.
  onlyName: "default",
  goesWithTenant: true,
  writer: "people",
  deletedBy: "user",
  applyStep: 60,
  malformed: malformedQuota,
  stillUsed: (objects, { key, meta }) => {
    const { reserved, committed } = objects.accountOf(meta.namespace);
    return equalAmounts(reserved, NOTHING) && equalAmounts(committed, NOTHING)
      ? undefined
      : no("quota-below-use", key, "nothing reserved or committed", "in use");
  },
};

/** More than any tenant would name one by one, and few enough that the quota stays a small object. */
export const PARTS_MAX = 256;

/** A weight is a share of the whole: beyond this, the other tenants have none worth the name. */
export const WEIGHT_MAX = 1_000_000;

const COUNTS_MOST = LOAD_LIMITS.countsMost.value;

function malformedQuota(spec: QuotaSpec, bad: Bad): No | undefined {
  const { limit, group, borrow, weight = 1, shrink = "wait" } = spec;
  if (group !== undefined && !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(group)) {
    return bad("spec.group", "lower-case letters, digits, '-' and '.'", group);
  }
  if (borrow !== undefined && group === undefined) {
    return bad("spec.borrow", "a group to borrow from", "no group");
  }
  if (!Number.isSafeInteger(weight) || weight < 1 || weight > WEIGHT_MAX) {
    return bad("spec.weight", `a whole number from 1 to ${WEIGHT_MAX}`, weight);
  }
  for (const name of ["replicas", "workloads"] as const) {
    const most = spec.counts?.[name];
    if (most === undefined || (isCount(most) && most <= COUNTS_MOST)) continue;
    return bad(`spec.counts.${name}`, `a whole number from 0 to ${COUNTS_MOST}`, most);
  }
  if (shrink !== "wait" && shrink !== "drain") return bad("spec.shrink", "wait or drain", shrink);
  return (
    malformedAmounts(limit, "spec.limit", bad) ??
    (borrow && malformedAmounts(borrow, "spec.borrow", bad)) ??
    malformedParts(spec.regions, "spec.regions", bad) ??
    malformedParts(spec.classes, "spec.classes", bad)
  );
}

function malformedParts(parts: QuotaSpec["regions"], field: string, bad: Bad): No | undefined {
  const names = Object.keys(parts ?? {}).toSorted();
  if (names.length > PARTS_MAX) return bad(field, `at most ${PARTS_MAX}`, names.length);
  for (const name of names) {
    const amounts = parts?.[name];
    const wrong = amounts && malformedAmounts(amounts, `${field}.${name}`, bad);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
