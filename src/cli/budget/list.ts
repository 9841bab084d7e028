/**
 * `berth budget list`: the reserve, and of each budget how much, for whom, whose, until when, and
 * what is left of it.
 */
import {
  listOf,
  type ShownList,
  type ShownObject,
  textOf,
  statusText,
} from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import {
  amountsIn,
  amountsText,
  BUDGETS,
  forText,
  RESERVE,
  reserveText,
  type ShownReserve,
  untilText,
} from "../../steering/shown-recovery-budget.ts";

const HEADINGS = [
  "NAME",
  "REGION",
  "GRANTED",
  "SPENT",
  "LEFT",
  "FOR",
  "OWNER",
  "UNTIL",
  "STATE",
  "REPLICAS",
  "REASON",
] as const;

export async function listBudgets(options: ServerOptions, terminal: Terminal): Promise<void> {
  const client = connect(options);
  const reserve = await client.get<ShownReserve>(RESERVE);
  const { items } = await client.get<ShownList>(BUDGETS);
  terminal.out(`${reserveText(reserve)}\n`);
  if (items.length === 0) {
    terminal.out("No recovery budgets found.\n");
    return;
  }
  terminal.out(`\n${columns([HEADINGS, ...items.map(rowOf)])}`);
}

function rowOf(budget: ShownObject): string[] {
  const { metadata, spec, status } = budget;
  return [
    metadata.name,
    textOf(spec?.["region"]),
    // As it is raised, if it is.
    amountsText(amountsIn(status?.["raised"] ?? status?.["granted"])),
    amountsText(amountsIn(status?.["spent"])),
    amountsText(amountsIn(status?.["left"])),
    forText(spec),
    statusText(budget, "owner"),
    untilText(statusText(budget, "until")),
    statusText(budget, "state"),
    replicasText(listOf(status?.["replicas"]).map(textOf), Number(status?.["replicaCount"] ?? 0)),
    textOf(spec?.["reason"]),
  ];
}

/** e.g. "payments/risk-api.1.0 and 3 more" */
function replicasText(replicas: readonly string[], count: number): string {
  const [first] = replicas;
  if (first === undefined) return "none";
  return count === 1 ? first : `${first} and ${count - 1} more`;
}
