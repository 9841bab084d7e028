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

const spec = fields("What is granted, where, to whom, for how long and why.", {
  ...budgetTerms,
  reason: word("Why."),
});

export const budgetKind = defineKind({
  kind: "Budget",
  description: "What may be spent on recoveries in a region, by whom and until when.",
  spec,
  status: budgetStatus,
  planeConditions: BUDGET_CONDITIONS,
  columns: [
    {
      name: "Region",
      type: "string",
      description: "Where it is spent.",
      cell: (budget) => budget.spec.region,
    },
    {
      name: "CPU",
      type: "string",
      description: "How many CPUs it grants.",
      cell: (budget) => cpuText(budget.spec.amounts.cpuMillis),
    },
    {
      name: "Memory",
      type: "string",
      description: "How much memory it grants.",
      cell: (budget) => memoryText(budget.spec.amounts.memoryMiB),
    },
    {
      name: "Devices",
      type: "string",
      description: "How many devices it grants.",
      isWide: true,
      cell: (budget) => String(deviceText(budget.spec.amounts.deviceMillis)),
    },
    {
      name: "Spent",
      type: "string",
      description: "What is spent of what it grants as it is raised now.",
      cell: spentText,
    },
    {
      name: "For",
      type: "string",
      description: "The tenants and the priority classes it is for.",
      cell: ({ spec: { tenants, classes } }) =>
        `${tenants?.join(",") ?? "*"}${classes === undefined ? "" : `/${classes.join(",")}`}`,
    },
    {
      name: "Owner",
      type: "string",
      description: "Who granted it.",
      cell: (budget) => budget.status.owner,
    },
    {
      name: "Until",
      type: "string",
      description: "When it ends by itself.",
      cell: (budget) => rfc3339(budget.status.untilMs),
    },
    {
      name: "State",
      type: "string",
      description: "Whether it may be spent, in a word.",
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
