/** What the table of the audit trail shows of each entry. */
import type { AuditEntry } from "../../../src/api/audit/audit-entry.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import type { Column } from "../parts/virtual-table.tsx";

/** A word for whoever reads no colours. */
const KIND_WORDS = { human: "person", controller: "controller", agent: "agent" } as const;

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
        {actor.name} <span class="quiet">{KIND_WORDS[actor.kind]}</span>
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
