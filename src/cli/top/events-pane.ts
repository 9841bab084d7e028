/** What was written lately, by whom, as the audit trail tells it. */
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import { printable } from "../../text/printable.ts";
import { padded } from "./cells.ts";
import type { PaneRows } from "./pane-rows.ts";
import { line, type StyledLine, type Tone } from "./styled-line.ts";
import type { Reader, TopState } from "./top-state.ts";

const ACTOR_WIDTH = 20;

export function eventsPane({ entries }: TopState, { sorts, filter }: Reader): PaneRows {
  const matching = entries.filter((entry) => textOf(entry).includes(filter.toLowerCase()));
  const rows = sorts.events === "newest" ? matching : matching.toReversed();
  return {
    heading: `${padded("TIME", 8)} ${padded("WHO", ACTOR_WIDTH)} WHAT`,
    count: rows.length,
    row: (at) => rowLine(rows[at] as AuditEntry),
    detail: (at) => detailOf(rows[at] as AuditEntry),
  };
}

const textOf = ({ actor, summary, command }: AuditEntry): string =>
  `${actor.kind} ${actor.name} ${command} ${summary}`.toLowerCase();

/** People are found among many programs. */
const TONES: Readonly<Record<AuditEntry["actor"]["kind"], Tone>> = {
  human: "good",
  controller: "plain",
  agent: "dim",
};

/** The time of day; the day itself is in the detail. */
const timeOf = (time: string): string => time.slice(11, 19);

function rowLine({ time, actor, summary }: AuditEntry): StyledLine {
  return line(
    `${padded(timeOf(time), 8)} `,
    { text: padded(printable(actor.name), ACTOR_WIDTH), tone: TONES[actor.kind] },
    ` ${printable(summary)}`,
  );
}

function detailOf({ revision, time, actor, command, summary, evidence }: AuditEntry): string {
  const why = evidence === undefined || summary.includes(evidence) ? "" : ` ${evidence}`;
  const who = `${actor.kind} ${actor.name}`;
  return printable(`revision ${revision} at ${time}, ${command} by ${who}: ${summary}.${why}`);
}
