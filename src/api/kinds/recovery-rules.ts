/**
 * How recoveries are budgeted, as a policy revision says it: the reserve, the fairness window, and
 * what is granted by itself.
 */
import { RECOVERY_ABOUT, RECOVERY_FIELDS } from "../../core/kinds/fields/budget-fields.ts";
import { type Amounts, shortage } from "../../core/model/amounts.ts";
import type { BudgetTerms, RecoveryRules } from "../../core/model/budget.ts";
import { readFields } from "../../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../../manifest/write-fields.ts";
import { fieldsSchema } from "../schema/fields-schema.ts";
import { JsonValue } from "./json-value.ts";
import type { SpecReader } from "./spec-reader.ts";
import { writeAmounts } from "./text/amounts-text.ts";

export const recoveryRulesSchema = fieldsSchema(RECOVERY_ABOUT, RECOVERY_FIELDS);

const FIELD = "spec.recovery";

export function readRecoveryRules(written: unknown, reader: SpecReader): RecoveryRules {
  const value = new JsonValue(written, FIELD, reader);
  const rules = readFields(RECOVERY_FIELDS, value.fields()) as unknown as RecoveryRules;
  for (const [at, terms] of (rules.grants ?? []).entries()) {
    noteTooLarge(`${FIELD}.grants[${at}]`, { terms, reserve: rules.reserve }, reader);
  }
  return rules;
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

export const writeRecoveryRules = (rules: RecoveryRules): PlainFields =>
  writeFields(RECOVERY_FIELDS, rules, "manifest");
