/** Budget: what may be spent on recoveries in a region, by whom and until when. */
import type { Type } from "typebox";
import type { Desired } from "../../core/protocol/command.ts";
import type { BudgetSpec } from "../../core/model/budget.ts";
import type { FieldMistake } from "../api-kind.ts";
import { rfc3339 } from "../rfc3339.ts";
import { fields, word } from "../schema/shapes.ts";
import { cpuText, deviceText, memoryText } from "./text/amounts-text.ts";
import {
  BUDGET_CONDITIONS,
  budgetState,
  budgetStatus,
  spentText,
  writeBudgetStatus,
} from "./status/budget-status.ts";
import { budgetTerms, readBudgetTerms, writeBudgetTerms } from "./budget-terms.ts";
import { defineKind } from "./define-kind.ts";
import { SpecReader } from "./spec-reader.ts";

const spec = fields(
  "The granted amount, its region, tenants and classes, its duration and the reason.",
  {
    ...budgetTerms,
    reason: word("Why."),
  },
);

export const budgetKind = defineKind({
  kind: "Budget",
  description:
    "A limited amount of the recovery reserve of a region, granted to tenants for a time.",
  spec,
  status: budgetStatus,
  planeConditions: BUDGET_CONDITIONS,
  columns: [
    {
      name: "Region",
      type: "string",
      description: "The region where it applies.",
      cell: (budget) => budget.spec.region,
    },
    {
      name: "CPU",
      type: "string",
      description: "The CPUs that it grants.",
      cell: (budget) => cpuText(budget.spec.amounts.cpuMillis),
    },
    {
      name: "Memory",
      type: "string",
      description: "The memory that it grants.",
      cell: (budget) => memoryText(budget.spec.amounts.memoryMiB),
    },
    {
      name: "Devices",
      type: "string",
      description: "The devices that it grants.",
      isWide: true,
      cell: (budget) => String(deviceText(budget.spec.amounts.deviceMillis)),
    },
    {
      name: "Spent",
      type: "string",
      description: "The spent share of its amount, raises by overrides included.",
      cell: spentText,
    },
    {
      name: "For",
      type: "string",
      description: "The tenants and priority classes that may use it.",
      cell: ({ spec: { tenants, classes } }) =>
        `${tenants?.join(",") ?? "*"}${classes === undefined ? "" : `/${classes.join(",")}`}`,
    },
    {
      name: "Owner",
      type: "string",
      description: "The user who granted it.",
      cell: (budget) => budget.status.owner,
    },
    {
      name: "Until",
      type: "string",
      description: "When it expires.",
      cell: (budget) => rfc3339(budget.status.untilMs),
    },
    {
      name: "State",
      type: "string",
      description: "Whether it can be spent, in one word.",
      cell: budgetState,
    },
    {
      name: "Reason",
      type: "string",
      description: "Why.",
      isWide: true,
      cell: (budget) => budget.spec.reason,
    },
  ],
  selectableFields: { "spec.region": (budget) => budget.spec.region },
  toApi: (budget, objects) => ({
    spec: writeSpec(budget.spec),
    status: writeBudgetStatus(budget, objects),
  }),
  toDesired: readSpec,
});

function readSpec(written: unknown): Desired | readonly FieldMistake[] {
  const of = written as Type.Static<typeof spec>;
  const reader = new SpecReader();
  const read: BudgetSpec = { ...readBudgetTerms("spec", of, reader), reason: of.reason };
  return reader.mistakes.length > 0 ? reader.mistakes : { kind: "Budget", spec: read };
}

const writeSpec = (of: BudgetSpec) => ({ ...writeBudgetTerms(of), reason: of.reason });
