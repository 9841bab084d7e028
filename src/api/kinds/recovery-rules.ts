/** How recoveries are budgeted, as a policy revision says it: the reserve, the fairness window, and what is granted by itself. */
import { Type } from "typebox";
import { type Amounts, shortage } from "../../core/model/amounts.ts";
import {
  type BudgetTerms,
  FAIRNESS_BOUNDS_MS,
  FAIRNESS_WINDOW_MS,
  type RecoveryRules,
} from "../../core/model/budget.ts";
import { POLICY_LIST_MOST } from "../../core/model/policy.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { duration, fields } from "../schema/shapes.ts";
import { writeAmounts } from "./text/amounts-text.ts";
import {
  budgetTerms,
  readBudgetTerms,
  readSpentAmounts,
  spentAmounts,
  writeBudgetTerms,
  writeSpentAmounts,
} from "./budget-terms.ts";
import type { SpecReader } from "./spec-reader.ts";

export const recoveryRulesSchema = fields(
  "Limits for recoveries. Only for the policy named default. Default: a recovering workload uses the recovery reserve without a budget.",
  {
    reserve: fields("The maximum for all recovery budgets together.", spentAmounts),
    fairnessWindow: Type.Optional(
      duration(
        "How long a recovery with a budget goes ahead of the normal queue order.",
        formatDuration(FAIRNESS_WINDOW_MS),
      ),
    ),
    grants: Type.Optional(
      Type.Array(fields("One budget.", budgetTerms), {
        description:
          "Budgets that the plane grants automatically while a matching workload recovers.",
        maxItems: POLICY_LIST_MOST,
      }),
    ),
  },
);

type RecoveryText = Type.Static<typeof recoveryRulesSchema>;

const FIELD = "spec.recovery";

export function readRecoveryRules(of: RecoveryText, reader: SpecReader): RecoveryRules {
  const { reserve, fairnessWindow, grants } = of;
  const { least: fromMs, most: toMs } = FAIRNESS_BOUNDS_MS;
  const held = readSpentAmounts(`${FIELD}.reserve`, reserve, reader);
  return {
    reserve: held,
    ...(fairnessWindow === undefined
      ? {}
      : {
          fairnessWindowMs: reader.durationMs(`${FIELD}.fairnessWindow`, fairnessWindow, {
            fromMs,
            toMs,
          }),
        }),
    ...(grants === undefined
      ? {}
      : {
          grants: grants.map((each, at) => {
            const field = `${FIELD}.grants[${at}]`;
            const terms = readBudgetTerms(field, each, reader);
            noteTooLarge(field, { terms, reserve: held }, reader);
            return terms;
          }),
        }),
  };
}

/** It could never be granted. The authority says so, too, in its own units. */
function noteTooLarge(
  field: string,
  of: { readonly terms: BudgetTerms; readonly reserve: Amounts },
  reader: SpecReader,
): void {
  const [asked, has] = [writeAmounts(of.terms.amounts), writeAmounts(of.reserve)];
  const short = shortage(of.terms.amounts, of.reserve);
  if (short === undefined) return;
  const name = FIELDS[short];
  const found = `found ${asked[name]}; expected at most the reserve (${has[name]}).`;
  reader.mistake(`${field}.${name}`, found);
}

const FIELDS = { cpuMillis: "cpu", memoryMiB: "memory", deviceMillis: "devices" } as const;

export const writeRecoveryRules = (of: RecoveryRules): RecoveryText => ({
  reserve: writeSpentAmounts(of.reserve),
  ...(of.fairnessWindowMs === undefined
    ? {}
    : { fairnessWindow: formatDuration(of.fairnessWindowMs) }),
  ...(of.grants === undefined ? {} : { grants: of.grants.map(writeBudgetTerms) }),
});
