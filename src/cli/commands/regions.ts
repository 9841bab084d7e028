/**
 * `berth regions`: which regions have planes of their own, since when each is cut off, what it may
 * still do, and how much of the tenants' quota it holds.
 */
import { type Command, Option } from "commander";
import type { RegionStanding, RegionStandings } from "../../api/regions/region-standing.ts";
import { ageText } from "../../api/age.ts";
import { cpuShare, cpuText, memoryShare, memoryText } from "../../api/kinds/text/amounts-text.ts";
import { yamlText } from "../../text/yaml-text.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";

export interface RegionsOptions extends ServerOptions {
  readonly output?: "table" | "json" | "yaml";
}

export function registerRegions(program: Command, terminal: Terminal): void {
  const command = program
    .command("regions")
    .description("show regions with planes of their own: contact, terms and quota lent")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(["table", "json", "yaml"])
        .default("table"),
    );
  addServerOptions(command).action((options: RegionsOptions) => regions(options, terminal));
}

export async function regions(options: RegionsOptions, terminal: Terminal): Promise<void> {
  const shown = await connect(options).get<RegionStandings>("/regions");
  if (options.output === "json") terminal.out(`${JSON.stringify(shown, undefined, 2)}\n`);
  else if (options.output === "yaml") terminal.out(yamlText(shown));
  else terminal.out(textOf(shown, Date.now()));
}

const STATES: Readonly<Record<RegionStanding["state"], string>> = {
  "never-heard": "never heard",
  "in-contact": "in contact",
  "cut-off": "cut off",
  "repairs-only": "cut off, repairs only",
  learning: "restored, learning",
  gone: "gone",
};

function textOf({ role, regions: all }: RegionStandings, nowMs: number): string {
  if (role === "single") {
    return "This plane serves all regions itself. To give a region a plane of its own, add spec.plane to its Region (docs/regions.md).\n";
  }
  const headings = [
    "REGION",
    "STATE",
    "HEARD",
    "NEW WORK",
    "NODES",
    "SERVING",
    "QUEUED",
    "USED/LENT",
    "HELD",
  ];
  const rows = all.map((region) => [
    region.name,
    STATES[region.state],
    region.heardMs === undefined ? "-" : `${ageText(nowMs - region.heardMs)} ago`,
    newWorkText(region, nowMs),
    `${region.nodes ?? "-"}`,
    region.serving === undefined ? "-" : `${region.serving}/${region.replicas ?? 0}`,
    `${region.queued ?? "-"}`,
    `${cpuShare(region.used, region.lent)} cpu, ${memoryShare(region.used, region.lent)}`,
    `${cpuText(region.held.cpuMillis)} cpu, ${memoryText(region.held.memoryMiB)}`,
  ]);
  return columns([headings, ...rows]);
}

function newWorkText({ state, newWorkUntilMs }: RegionStanding, nowMs: number): string {
  if (newWorkUntilMs === undefined || state === "gone" || state === "learning") return "no";
  if (state === "repairs-only") return "no: the term is over";
  return `for ${ageText(newWorkUntilMs - nowMs)}`;
}
