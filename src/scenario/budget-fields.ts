/**
 * Budgets of recoveries in a file: what a policy revision says of them (`recovery: { reserve: { cpu: 8, memory: 8Gi },
 * fairnessWindow: 5m, grants: [{ region: eu-west, cpu: 4, memory: 4Gi, ttl: 10m }] }`), and what people do with them in a
 * timeline: `grant-budget: { name: bu-1, as: ana, region: eu-west, cpu: 4, memory: 4Gi, ttl: 10m, reason: why }`.
 */
import {
  BUDGET_TTL_MS,
  type BudgetSpec,
  type BudgetTerms,
  FAIRNESS_BOUNDS_MS,
  type RecoveryRules,
} from "../core/model/budget.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { UserAction } from "../sim/world/world.ts";
import { type PlainFields, plainQuota, QUOTA_FIELDS, readQuota } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, type References } from "./references.ts";

type Grant = Extract<UserAction, { do: "grant-budget" }>;
type Extend = Extract<UserAction, { do: "extend-budget" }>;
type Withdraw = Extract<UserAction, { do: "withdraw-budget" }>;

const GRANT_FIELDS = ["region", ...QUOTA_FIELDS, "tenants", "classes", "ttl"] as const;

export function readRecoveryRules(cursor: Cursor, references: References): RecoveryRules {
  const fields = cursor.fields(["reserve", "fairnessWindow", "grants"]);
  return {
    reserve: readQuota(fields.need("reserve").fields(QUOTA_FIELDS)),
    ...(fields.has("fairnessWindow")
      ? { fairnessWindowMs: readWindow(fields.need("fairnessWindow")) }
      : {}),
    ...(fields.has("grants")
      ? {
          grants: fields
            .need("grants")
            .list((item) => readGrantTerms(item.fields(GRANT_FIELDS), references)),
        }
      : {}),
  };
}

function readWindow(cursor: Cursor): number {
  const windowMs = cursor.durationMs(FAIRNESS_BOUNDS_MS.least);
  if (windowMs > FAIRNESS_BOUNDS_MS.most) cursor.expected("a duration of up to 1h");
  return windowMs;
}

function readGrantTerms(fields: Fields, references: References): BudgetTerms {
  const regionAt = fields.need("region");
  const region = readName(regionAt);
  references.refer("region", region, regionAt);
  return {
    region,
    amounts: readQuota(fields),
    ...(fields.has("tenants") ? { tenants: readNames(fields.need("tenants")) } : {}),
    ...(fields.has("classes") ? { classes: readNames(fields.need("classes")) } : {}),
    ttlMs: readTtl(fields.need("ttl")),
  };
}

/** In order and each once, as the plane asks for them. */
const readNames = (list: Cursor): readonly string[] => [...new Set(list.list(readName))].toSorted();

function readTtl(cursor: Cursor): number {
  const ttlMs = cursor.durationMs(BUDGET_TTL_MS.least);
  if (ttlMs > BUDGET_TTL_MS.most) cursor.expected("a duration of up to 7d");
  return ttlMs;
}

export function plainRecoveryRules(rules: RecoveryRules): PlainFields {
  const { reserve, fairnessWindowMs, grants } = rules;
  return {
    reserve: plainQuota(reserve),
    ...(fairnessWindowMs === undefined ? {} : { fairnessWindow: formatDuration(fairnessWindowMs) }),
    ...(grants === undefined ? {} : { grants: grants.map(plainGrantTerms) }),
  };
}

function plainGrantTerms({ region, amounts, tenants, classes, ttlMs }: BudgetTerms): PlainFields {
  return {
    region,
    ...plainQuota(amounts),
    ...(tenants === undefined ? {} : { tenants: [...tenants] }),
    ...(classes === undefined ? {} : { classes: [...classes] }),
    ttl: formatDuration(ttlMs),
  };
}

export function readGrantBudget(value: Cursor, references: References): Grant {
  const fields = value.fields(["name", "as", ...GRANT_FIELDS, "reason"]);
  const spec: BudgetSpec = {
    ...readGrantTerms(fields, references),
    reason: fields.need("reason").text(),
  };
  return { do: "grant-budget", ...byWhom(fields), spec };
}

export function readExtendBudget(value: Cursor): Extend {
  const fields = value.fields(["name", "as", "ttl"]);
  return { do: "extend-budget", ...byWhom(fields), ttlMs: readTtl(fields.need("ttl")) };
}

export function readWithdrawBudget(value: Cursor): Withdraw {
  return { do: "withdraw-budget", ...byWhom(value.fields(["name", "as"])) };
}

const byWhom = (fields: Fields): { readonly name: string; readonly as: string } => ({
  name: readName(fields.need("name")),
  as: fields.need("as").text(),
});

export const plainGrantBudget = ({ name, as, spec }: Grant): PlainFields => ({
  name,
  as,
  ...plainGrantTerms(spec),
  reason: spec.reason,
});
