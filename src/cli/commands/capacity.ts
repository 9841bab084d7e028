/**
 * `berth capacity`: what there is to run on, by region and by what it is good for, and what groups
 * share.
 */
import { type Command, Option } from "commander";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { yamlText } from "../../text/yaml-text.ts";
import type { ShownAmounts } from "../../steering/shown-recovery-budget.ts";

export interface CapacityOptions extends ServerOptions {
  readonly output?: "table" | "json" | "yaml";
}

type HardPart = "capacity" | "overcommitted" | "committed" | "reserved" | "recovery" | "free";

interface ShownRow {
  readonly hard: Readonly<Record<HardPart, ShownAmounts>>;
  readonly reclaimable: ShownAmounts;
  readonly soft: ShownAmounts;
  /** A plane of an earlier version does not count it. */
  readonly outOfReach?: ShownAmounts;
}

interface ShownGroup extends Readonly<
  Record<"limit" | "used" | "reserved" | "free" | "overdrawn", ShownAmounts>
> {
  readonly name: string;
  readonly tenants: readonly string[];
}

interface ShownCapacity {
  readonly total: ShownRow;
  readonly regions: readonly (ShownRow & { readonly name: string })[];
  readonly groups: readonly ShownGroup[];
}

export function registerCapacity(program: Command, terminal: Terminal): void {
  const command = program
    .command("capacity")
    .description("show hard, reclaimable and soft capacity by region")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(["table", "json", "yaml"])
        .default("table"),
    );
  addServerOptions(command).action((options: CapacityOptions) => capacity(options, terminal));
}

export async function capacity(options: CapacityOptions, terminal: Terminal): Promise<void> {
  const shown = await connect(options).get<ShownCapacity>("/capacity");
  if (options.output === "json") terminal.out(`${JSON.stringify(shown, undefined, 2)}\n`);
  else if (options.output === "yaml") terminal.out(yamlText(shown));
  else terminal.out(tables(shown));
}

/** Devices only where there are any: most regions have none, and the tables are wide. */
function amountsText({ cpu, memory, devices }: ShownAmounts): string {
  return `${cpu} ${memory}${devices === 0 ? "" : ` ${devices}dev`}`;
}

function tables({ total, regions, groups }: ShownCapacity): string {
  const rows = [...regions, { name: "TOTAL", ...total }].map(
    ({ name, hard, reclaimable, soft, outOfReach }) => [
      name,
      ...[hard.capacity, hard.committed, hard.reserved, hard.recovery].map(amountsText),
      amountsText(reclaimable),
      amountsText(hard.free),
      outOfReach === undefined ? "?" : amountsText(outOfReach),
      ...[hard.overcommitted, soft].map(amountsText),
    ],
  );
  const headings = [
    "REGION",
    "HARD",
    "COMMITTED",
    "RESERVED",
    "RECOVERY",
    "RECLAIMABLE",
    "FREE",
    "OUT OF REACH",
    "OVER",
    "SOFT",
  ];
  const capacityTable = columns([headings, ...rows]);
  if (groups.length === 0) return capacityTable;
  const groupRows = groups.map((group) => [
    group.name,
    ...[group.limit, group.used, group.reserved, group.free, group.overdrawn].map(amountsText),
    group.tenants.join(","),
  ]);
  const groupHeadings = ["GROUP", "LIMIT", "USED", "RESERVED", "FREE", "OVERDRAWN", "TENANTS"];
  return `${capacityTable}\n${columns([groupHeadings, ...groupRows])}`;
}
