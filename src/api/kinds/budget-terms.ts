/**
 * How much may be spent on recoveries, where and for whom, as people write it: in a budget of their own, and in what a
 * policy revision grants by itself.
 */
import { Type } from "typebox";
import type { Amounts } from "../../core/model/amounts.ts";
import { BUDGET_LIST_MOST, BUDGET_TTL_MS, type BudgetTerms } from "../../core/model/budget.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { duration, fields, name, quantity } from "../schema/shapes.ts";
import { cpuText, deviceText, memoryText } from "./text/amounts-text.ts";
import type { SpecReader } from "./spec-reader.ts";

export const spentAmounts = {
  cpu: quantity("CPUs, such as 8 or 500m."),
  memory: quantity("Memory, such as 16Gi."),
  devices: Type.Optional(quantity("Devices of all classes together. Default: none.")),
};

const names = (description: string, each: string) =>
  Type.Optional(Type.Array(name(each), { description, minItems: 1, maxItems: BUDGET_LIST_MOST }));

export const budgetTerms = {
  region: name("The region where it applies."),
  ...spentAmounts,
  tenants: names("The tenants that may use it. Default: all tenants.", "A tenant."),
  classes: names(
    "The priority classes that may use it. Default: all classes, and work without a class.",
    "A priority class.",
  ),
  ttl: duration("How long it is in force, from its grant. At most 168h."),
};

const termsShape = fields("", budgetTerms);
export type BudgetTermsText = Type.Static<typeof termsShape>;
const amountsShape = fields("", spentAmounts);
export type SpentAmountsText = Type.Static<typeof amountsShape>;

export const readSpentAmounts = (
  field: string,
  of: SpentAmountsText,
  reader: SpecReader,
): Amounts => reader.amounts(field, of, reader.deviceMillis(`${field}.devices`, of.devices ?? 0));

export function readBudgetTerms(
  field: string,
  of: BudgetTermsText,
  reader: SpecReader,
): BudgetTerms {
  const { region, tenants, classes, ttl } = of;
  const { least: fromMs, most: toMs } = BUDGET_TTL_MS;
  return {
    region,
    amounts: readSpentAmounts(field, of, reader),
    ...(tenants === undefined ? {} : { tenants: inOrder(tenants) }),
    ...(classes === undefined ? {} : { classes: inOrder(classes) }),
    ttlMs: reader.durationMs(`${field}.ttl`, ttl, { fromMs, toMs }),
  };
}

/** Two that mean the same are the same. */
const inOrder = (list: readonly string[]): readonly string[] => [...new Set(list)].toSorted();

export const writeSpentAmounts = ({
  cpuMillis,
  memoryMiB,
  deviceMillis,
}: Amounts): SpentAmountsText => ({
  cpu: cpuText(cpuMillis),
  memory: memoryText(memoryMiB),
  ...(deviceMillis === 0 ? {} : { devices: deviceText(deviceMillis) }),
});

export const writeBudgetTerms = (of: BudgetTerms): BudgetTermsText => ({
  region: of.region,
  ...writeSpentAmounts(of.amounts),
  ...(of.tenants === undefined ? {} : { tenants: [...of.tenants] }),
  ...(of.classes === undefined ? {} : { classes: [...of.classes] }),
  ttl: formatDuration(of.ttlMs),
});
