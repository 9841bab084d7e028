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
  { id: "time", title: "When", width: "10ch", cell: ({ time }) => <RelativeTime at={time} /> },
  {
    id: "actor",
    title: "Who",
    width: "22ch",
    isWideOnly: true,
    cell: ({ actor }) => (
      <>
        {actor.name} <span class="quiet">{quietWords(actor)}</span>
      </>
    ),
  },
  {
    id: "what",
    title: "What",
    cell: ({ summary, evidence }) => (
      <>
        {evidence !== undefined && <Badge tone="bad">evidence</Badge>} {summary}
      </>
    ),
  },
];
