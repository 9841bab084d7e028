/** RecoveryBudget: what may be spent on recoveries in a region, by whom and until when. */
import { rfc3339 } from "../rfc3339.ts";
import { showKind } from "./show-kind.ts";
import {
  RECOVERY_BUDGET_CONDITIONS,
  recoveryBudgetState,
  recoveryBudgetStatus,
  spentText,
  writeRecoveryBudgetStatus,
} from "./status/recovery-budget-status.ts";
import { cpuText, deviceText, memoryText } from "./text/amounts-text.ts";

export const recoveryBudgetKind = showKind({
  kind: "RecoveryBudget",
  status: recoveryBudgetStatus,
  planeConditions: RECOVERY_BUDGET_CONDITIONS,
  showStatus: writeRecoveryBudgetStatus,
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
      cell: recoveryBudgetState,
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
});
