/** What `berth policy preview` says to a person. */
import { formatDuration } from "../../quantity/duration.ts";
import { columns } from "../client/columns.ts";
import type { PreviewReport, ReportedSide, Use } from "./preview-report.ts";

export function previewText(report: PreviewReport): string {
  const { policy, revision, region, from, until } = report;
  const where = region === undefined ? "everywhere" : `in ${region}`;
  return [
    `policy/${policy} with ${revision} active ${where}, from ${from} to ${until}\n`,
    ...report.notes.map((note) => `note: ${note}\n`),
    controlText(report),
    placementsText(report),
    waitsText(report),
    preemptionsText(report),
    useText(report),
    `\n${report.summary}\n`,
  ].join("");
}

/** What comes out differently although nothing was changed says how far the rest can be trusted. */
function controlText({ control }: PreviewReport): string {
  const { compared, placements, waits, preemptions } = control;
  const others = waits + preemptions;
  const more = others === 0 ? "" : `, and ${others} waits and preemptions`;
  const found = `${placements} of ${compared} placements diverge from the recording${more}`;
  return `control run without the change: ${found}\n`;
}

function placementsText({ placements }: PreviewReport): string {
  if (placements.length === 0) return "";
  const rows = placements.map(({ replica, incarnation, before, after }) => [
    incarnation === 1 ? replica : `${replica} (incarnation ${incarnation})`,
    placeText(before),
    placeText(after),
    whyText(before),
    whyText(after),
  ]);
  const head = ["REPLICA", "AS IT IS", "WOULD BE", "WHY IT IS", "WHY IT WOULD BE"];
  return `\n${columns([head, ...rows])}`;
}

const placeText = ({ node, policyRevision }: ReportedSide): string => {
  if (node === undefined) return "(nowhere)";
  return policyRevision === undefined ? node : `${node} (${policyRevision})`;
};

/** A part that adds nothing says nothing. */
function whyText({ why, score, parts }: ReportedSide): string {
  if (score === undefined) return why;
  const made = Object.entries(parts ?? {}).filter(([, value]) => value !== 0);
  const of = made.map(([name, value]) => `${name} ${value}`).join(", ");
  return of === "" ? `score ${score}` : `score ${score}: ${of}`;
}

function waitsText({ waits }: PreviewReport): string {
  if (waits.length === 0) return "";
  const rows = waits.map(({ replica, beforeMs, afterMs }) => [
    replica,
    waitText(beforeMs),
    waitText(afterMs),
  ]);
  return `\n${columns([["REPLICA", "WAITED", "WOULD WAIT"], ...rows])}`;
}

const waitText = (ms: number | null): string =>
  ms === null ? "beyond the end" : formatDuration(ms);

function preemptionsText({ preemptions }: PreviewReport): string {
  if (preemptions.length === 0) return "";
  const text = (of: (typeof preemptions)[number]["before"]): string =>
    of === null ? "(no victims)" : `${of.victims.join(", ")} on ${of.node}`;
  const rows = preemptions.map(({ by, before, after }) => [by, text(before), text(after)]);
  return `\n${columns([["MAKES ROOM FOR", "AS IT IS", "WOULD BE"], ...rows])}`;
}

/** Only where it makes a difference. */
function useText({ use }: PreviewReport): string {
  const rows = use
    .map(({ region, zone, before, after }) => [region, zone, percents(before), percents(after)])
    .filter(([, , before, after]) => before !== after);
  if (rows.length === 0) return "";
  const head = ["REGION", "ZONE", "CPU/MEMORY AT THE END", "WOULD BE"];
  return `\n${columns([head, ...rows])}`;
}

const percents = ({ cpuPercent, memoryPercent }: Use): string => `${cpuPercent}%/${memoryPercent}%`;
