/** What the table of the audit trail shows of each entry. */
import type { AuditEntry } from "../../../src/api/audit/audit-entry.ts";
import { credentialMark } from "../../../src/api/audit/credential-text.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { Column } from "../parts/virtual-table.tsx";

/** A word for readers who do not see colours. */
const KIND_WORDS = { human: "person", controller: "controller", agent: "agent" } as const;

const quietWords = (actor: AuditEntry["actor"]): string => {
  const mark = credentialMark(actor);
  return mark === undefined ? KIND_WORDS[actor.kind] : `${KIND_WORDS[actor.kind]}, ${mark}`;
};

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { id: "revision", title: "Revision", width: "10ch", cell: ({ revision }) => revision },
  { id: "time", title: "When", width: "12ch", cell: ({ time }) => <RelativeTime at={time} /> },
  {
    id: "actor",
    title: "Who",
    width: "24%",
    isWideOnly: true,
    cell: ({ actor }) => (
      <span class="audit-who">
        {actor.name} <span class="quiet">{quietWords(actor)}</span>
      </span>
    ),
  },
  {
    id: "what",
    title: "What",
    cell: (entry) => (
      <span class="audit-what">
        <What entry={entry} />
      </span>
    ),
  },
];

/** On a phone: what was done over two lines, and below it when and by which actor. */
export const NARROW_AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: "entry",
    title: "What, when and who",
    cell: (entry) => (
      <span class="cell-lines audit-narrow">
        <span class="audit-what">
          <What entry={entry} />
        </span>
        <span class="quiet cell-small">
          <RelativeTime at={entry.time} /> · {entry.actor.name}
        </span>
      </span>
    ),
  },
];

/** Room for two lines of what, and of who. */
export const ROW_PX = 44;

/** Room for two lines of what and one of when. */
export const NARROW_ROW_PX = 68;

function What({ entry: { summary, evidence } }: { readonly entry: AuditEntry }) {
  return (
    <>
      {evidence !== undefined && <Badge tone="bad">evidence</Badge>} {summary}
    </>
  );
}
